//===- InstructionMixTest.cpp - main loops of assembly texts --------------===//

#include "conversion/EmitBinary/InstructionMix.h"

#include <gtest/gtest.h>

using namespace gpuopt;

namespace {

TEST(InstructionMix, SASS) {
  // The outer loop has two instructions of its own, the inner one six; the jump
  // to itself at the end is none.
  auto mixes = computeInstructionMixes(R"(
	.section	.text.mm,"ax",@progbits
mm:
.text.mm:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_0:
        /*0010*/                   LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64] ;
.L_x_1:
        /*0020*/                   LDS.128 R8, [R2] ;
        /*0030*/                   FFMA R4, R8.reuse, R9, R4 ;
        /*0040*/                   FFMA R5, R8, R10, R5 ;
        /*0050*/                   HFMA2.MMA R6, -RZ, RZ, 0, 0 ;
        /*0060*/                   NOP ;
        /*0070*/                   ISETP.NE.AND P0, PT, R0, RZ, PT ;
        /*0080*/              @!P0 BRA `(.L_x_1) ;
        /*0090*/               @P1 BRA `(.L_x_0) ;
        /*00a0*/                   EXIT ;
.L_x_2:
        /*00b0*/                   BRA `(.L_x_2);
)",
                                       AssemblySyntax::SASS);
  ASSERT_EQ(mixes.size(), 1u);
  const InstructionMix &mix = mixes["mm"];
  EXPECT_EQ(mix.measuredBy, "sass");
  EXPECT_TRUE(mix.isLoop);
  EXPECT_EQ(mix.instructions, 6u);
  EXPECT_EQ(mix.multiplyAdds, 2u);
  EXPECT_DOUBLE_EQ(mix.multiplyAddShare(), 1.0 / 3);
  EXPECT_EQ(mix.opcodes, (std::map<std::string, unsigned>{{"BRA", 1},
                                                          {"FFMA", 2},
                                                          {"HFMA2", 1},
                                                          {"ISETP", 1},
                                                          {"LDS.128", 1}}));
}

TEST(InstructionMix, PTX) {
  auto mixes = computeInstructionMixes(R"(
.visible .entry scale(
	.param .u64 .ptr .global .align 1 scale_param_0
)
{
	.reg .b32 	%r<5>;
	ld.param.b64 	%rd1, [scale_param_0];
$L__BB0_1:                              // %loop
	ld.global.v4.b32 	{%r1, %r2, %r3, %r4}, [%rd1];
	fma.rn.f32 	%r1, %r2, %r3, %r4;
	@%p1 bra 	$L__BB0_1;
	ret;
}
.visible .entry copy(
)
{
	mov.b32 	%r1, 0;
	ret;
}
)",
                                       AssemblySyntax::PTX);
  ASSERT_EQ(mixes.size(), 2u);
  EXPECT_EQ(mixes["scale"].instructions, 3u);
  EXPECT_EQ(mixes["scale"].multiplyAdds, 1u);
  EXPECT_EQ(mixes["scale"].opcodes["ld.global.v4.b32"], 1u);
  EXPECT_FALSE(mixes["copy"].isLoop);
  EXPECT_EQ(mixes["copy"].instructions, 2u);
}

TEST(InstructionMix, AMDGCN) {
  auto mixes = computeInstructionMixes(R"(
	.type	mm,@function
mm:                                     ; @mm
; %bb.0:
	s_load_dwordx2 s[0:1], s[4:5], 0x0
.LBB0_1:                                ; =>This Inner Loop
	ds_read_b128 v[0:3], v4
	v_fmac_f32_e32 v5, v0, v1
	v_pk_fma_f32 v[6:7], v[0:1], v[2:3], v[6:7]
	s_cbranch_scc1 .LBB0_1
	s_endpgm
.Lfunc_end0:
	.size	mm, .Lfunc_end0-mm
)",
                                       AssemblySyntax::AMDGCN);
  EXPECT_EQ(mixes["mm"].instructions, 4u);
  EXPECT_EQ(mixes["mm"].multiplyAdds, 2u);
}

} // namespace
