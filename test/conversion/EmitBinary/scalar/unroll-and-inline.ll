; Thresholds for GPUs: a loop of 64 rounds over an array in registers is unrolled
; fully, which is what keeps the array out of local memory, and a function far
; above a CPU's limit is inlined.
;
; RUN: gpuopt-translate --llvmir-to-assembly --target=sm_90 %s | FileCheck %s

; CHECK-NOT:   .func
; CHECK-NOT:   .local
; CHECK-LABEL: .visible .entry unrolled(
; CHECK-NOT:   bra
; CHECK-COUNT-63: fma.rn.f32
; CHECK-NOT:   bra
; CHECK:       ret;
; CHECK-NOT:   call
define ptx_kernel void @unrolled(ptr noalias %a, ptr noalias %out) {
entry:
  %array = alloca [64 x float]
  br label %fill

fill:
  %i = phi i64 [ 0, %entry ], [ %i1, %fill ]
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %p
  %e = getelementptr inbounds [64 x float], ptr %array, i64 0, i64 %i
  store float %x, ptr %e
  %i1 = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i1, 64
  br i1 %more, label %fill, label %use

use:
  %j = phi i64 [ 0, %fill ], [ %j1, %use ]
  %s = phi float [ 0.0, %fill ], [ %t, %use ]
  %f = getelementptr inbounds [64 x float], ptr %array, i64 0, i64 %j
  %y = load float, ptr %f
  %yy = fmul contract float %y, %y
  %t = fadd contract float %s, %yy
  %j1 = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j1, 64
  br i1 %again, label %use, label %exit

exit:
  store float %t, ptr %out
  ret void
}

; CHECK-LABEL: .visible .entry inlined(
; CHECK-NOT:   call
define ptx_kernel void @inlined(ptr %out, float %x) {
  %a = call float @big(float %x)
  %b = call float @big(float %a)
  store float %b, ptr %out
  ret void
}

define internal float @big(float %x0) {
  %x1 = fadd float %x0, 1.5
  %x2 = fmul float %x1, 4.0
  %x3 = fadd float %x2, 3.5
  %x4 = fmul float %x3, 6.0
  %x5 = fadd float %x4, 5.5
  %x6 = fmul float %x5, 8.0
  %x7 = fadd float %x6, 7.5
  %x8 = fmul float %x7, 10.0
  %x9 = fadd float %x8, 9.5
  %x10 = fmul float %x9, 12.0
  %x11 = fadd float %x10, 11.5
  %x12 = fmul float %x11, 14.0
  %x13 = fadd float %x12, 13.5
  %x14 = fmul float %x13, 16.0
  %x15 = fadd float %x14, 15.5
  %x16 = fmul float %x15, 18.0
  %x17 = fadd float %x16, 17.5
  %x18 = fmul float %x17, 20.0
  %x19 = fadd float %x18, 19.5
  %x20 = fmul float %x19, 22.0
  %x21 = fadd float %x20, 21.5
  %x22 = fmul float %x21, 24.0
  %x23 = fadd float %x22, 23.5
  %x24 = fmul float %x23, 26.0
  %x25 = fadd float %x24, 25.5
  %x26 = fmul float %x25, 28.0
  %x27 = fadd float %x26, 27.5
  %x28 = fmul float %x27, 30.0
  %x29 = fadd float %x28, 29.5
  %x30 = fmul float %x29, 32.0
  %x31 = fadd float %x30, 31.5
  %x32 = fmul float %x31, 34.0
  %x33 = fadd float %x32, 33.5
  %x34 = fmul float %x33, 36.0
  %x35 = fadd float %x34, 35.5
  %x36 = fmul float %x35, 38.0
  %x37 = fadd float %x36, 37.5
  %x38 = fmul float %x37, 40.0
  %x39 = fadd float %x38, 39.5
  %x40 = fmul float %x39, 42.0
  %x41 = fadd float %x40, 41.5
  %x42 = fmul float %x41, 44.0
  %x43 = fadd float %x42, 43.5
  %x44 = fmul float %x43, 46.0
  %x45 = fadd float %x44, 45.5
  %x46 = fmul float %x45, 48.0
  %x47 = fadd float %x46, 47.5
  %x48 = fmul float %x47, 50.0
  %x49 = fadd float %x48, 49.5
  %x50 = fmul float %x49, 52.0
  %x51 = fadd float %x50, 51.5
  %x52 = fmul float %x51, 54.0
  %x53 = fadd float %x52, 53.5
  %x54 = fmul float %x53, 56.0
  %x55 = fadd float %x54, 55.5
  %x56 = fmul float %x55, 58.0
  %x57 = fadd float %x56, 57.5
  %x58 = fmul float %x57, 60.0
  %x59 = fadd float %x58, 59.5
  %x60 = fmul float %x59, 62.0
  %x61 = fadd float %x60, 61.5
  %x62 = fmul float %x61, 64.0
  %x63 = fadd float %x62, 63.5
  %x64 = fmul float %x63, 66.0
  %x65 = fadd float %x64, 65.5
  %x66 = fmul float %x65, 68.0
  %x67 = fadd float %x66, 67.5
  %x68 = fmul float %x67, 70.0
  %x69 = fadd float %x68, 69.5
  %x70 = fmul float %x69, 72.0
  %x71 = fadd float %x70, 71.5
  %x72 = fmul float %x71, 74.0
  %x73 = fadd float %x72, 73.5
  %x74 = fmul float %x73, 76.0
  %x75 = fadd float %x74, 75.5
  %x76 = fmul float %x75, 78.0
  %x77 = fadd float %x76, 77.5
  %x78 = fmul float %x77, 80.0
  %x79 = fadd float %x78, 79.5
  %x80 = fmul float %x79, 82.0
  %x81 = fadd float %x80, 81.5
  %x82 = fmul float %x81, 84.0
  %x83 = fadd float %x82, 83.5
  %x84 = fmul float %x83, 86.0
  %x85 = fadd float %x84, 85.5
  %x86 = fmul float %x85, 88.0
  %x87 = fadd float %x86, 87.5
  %x88 = fmul float %x87, 90.0
  %x89 = fadd float %x88, 89.5
  %x90 = fmul float %x89, 92.0
  %x91 = fadd float %x90, 91.5
  %x92 = fmul float %x91, 94.0
  %x93 = fadd float %x92, 93.5
  %x94 = fmul float %x93, 96.0
  %x95 = fadd float %x94, 95.5
  %x96 = fmul float %x95, 98.0
  %x97 = fadd float %x96, 97.5
  %x98 = fmul float %x97, 100.0
  %x99 = fadd float %x98, 99.5
  %x100 = fmul float %x99, 102.0
  %x101 = fadd float %x100, 101.5
  %x102 = fmul float %x101, 104.0
  %x103 = fadd float %x102, 103.5
  %x104 = fmul float %x103, 106.0
  %x105 = fadd float %x104, 105.5
  %x106 = fmul float %x105, 108.0
  %x107 = fadd float %x106, 107.5
  %x108 = fmul float %x107, 110.0
  %x109 = fadd float %x108, 109.5
  %x110 = fmul float %x109, 112.0
  %x111 = fadd float %x110, 111.5
  %x112 = fmul float %x111, 114.0
  %x113 = fadd float %x112, 113.5
  %x114 = fmul float %x113, 116.0
  %x115 = fadd float %x114, 115.5
  %x116 = fmul float %x115, 118.0
  %x117 = fadd float %x116, 117.5
  %x118 = fmul float %x117, 120.0
  %x119 = fadd float %x118, 119.5
  %x120 = fmul float %x119, 122.0
  %x121 = fadd float %x120, 121.5
  %x122 = fmul float %x121, 124.0
  %x123 = fadd float %x122, 123.5
  %x124 = fmul float %x123, 126.0
  %x125 = fadd float %x124, 125.5
  %x126 = fmul float %x125, 128.0
  %x127 = fadd float %x126, 127.5
  %x128 = fmul float %x127, 130.0
  %x129 = fadd float %x128, 129.5
  %x130 = fmul float %x129, 132.0
  %x131 = fadd float %x130, 131.5
  %x132 = fmul float %x131, 134.0
  %x133 = fadd float %x132, 133.5
  %x134 = fmul float %x133, 136.0
  %x135 = fadd float %x134, 135.5
  %x136 = fmul float %x135, 138.0
  %x137 = fadd float %x136, 137.5
  %x138 = fmul float %x137, 140.0
  %x139 = fadd float %x138, 139.5
  %x140 = fmul float %x139, 142.0
  %x141 = fadd float %x140, 141.5
  %x142 = fmul float %x141, 144.0
  %x143 = fadd float %x142, 143.5
  %x144 = fmul float %x143, 146.0
  %x145 = fadd float %x144, 145.5
  %x146 = fmul float %x145, 148.0
  %x147 = fadd float %x146, 147.5
  %x148 = fmul float %x147, 150.0
  %x149 = fadd float %x148, 149.5
  %x150 = fmul float %x149, 152.0
  %x151 = fadd float %x150, 151.5
  %x152 = fmul float %x151, 154.0
  %x153 = fadd float %x152, 153.5
  %x154 = fmul float %x153, 156.0
  %x155 = fadd float %x154, 155.5
  %x156 = fmul float %x155, 158.0
  %x157 = fadd float %x156, 157.5
  %x158 = fmul float %x157, 160.0
  %x159 = fadd float %x158, 159.5
  %x160 = fmul float %x159, 162.0
  %x161 = fadd float %x160, 161.5
  %x162 = fmul float %x161, 164.0
  %x163 = fadd float %x162, 163.5
  %x164 = fmul float %x163, 166.0
  %x165 = fadd float %x164, 165.5
  %x166 = fmul float %x165, 168.0
  %x167 = fadd float %x166, 167.5
  %x168 = fmul float %x167, 170.0
  %x169 = fadd float %x168, 169.5
  %x170 = fmul float %x169, 172.0
  %x171 = fadd float %x170, 171.5
  %x172 = fmul float %x171, 174.0
  %x173 = fadd float %x172, 173.5
  %x174 = fmul float %x173, 176.0
  %x175 = fadd float %x174, 175.5
  %x176 = fmul float %x175, 178.0
  %x177 = fadd float %x176, 177.5
  %x178 = fmul float %x177, 180.0
  %x179 = fadd float %x178, 179.5
  %x180 = fmul float %x179, 182.0
  %x181 = fadd float %x180, 181.5
  %x182 = fmul float %x181, 184.0
  %x183 = fadd float %x182, 183.5
  %x184 = fmul float %x183, 186.0
  %x185 = fadd float %x184, 185.5
  %x186 = fmul float %x185, 188.0
  %x187 = fadd float %x186, 187.5
  %x188 = fmul float %x187, 190.0
  %x189 = fadd float %x188, 189.5
  %x190 = fmul float %x189, 192.0
  %x191 = fadd float %x190, 191.5
  %x192 = fmul float %x191, 194.0
  %x193 = fadd float %x192, 193.5
  %x194 = fmul float %x193, 196.0
  %x195 = fadd float %x194, 195.5
  %x196 = fmul float %x195, 198.0
  %x197 = fadd float %x196, 197.5
  %x198 = fmul float %x197, 200.0
  %x199 = fadd float %x198, 199.5
  %x200 = fmul float %x199, 202.0
  %x201 = fadd float %x200, 201.5
  %x202 = fmul float %x201, 204.0
  %x203 = fadd float %x202, 203.5
  %x204 = fmul float %x203, 206.0
  %x205 = fadd float %x204, 205.5
  %x206 = fmul float %x205, 208.0
  %x207 = fadd float %x206, 207.5
  %x208 = fmul float %x207, 210.0
  %x209 = fadd float %x208, 209.5
  %x210 = fmul float %x209, 212.0
  %x211 = fadd float %x210, 211.5
  %x212 = fmul float %x211, 214.0
  %x213 = fadd float %x212, 213.5
  %x214 = fmul float %x213, 216.0
  %x215 = fadd float %x214, 215.5
  %x216 = fmul float %x215, 218.0
  %x217 = fadd float %x216, 217.5
  %x218 = fmul float %x217, 220.0
  %x219 = fadd float %x218, 219.5
  %x220 = fmul float %x219, 222.0
  %x221 = fadd float %x220, 221.5
  %x222 = fmul float %x221, 224.0
  %x223 = fadd float %x222, 223.5
  %x224 = fmul float %x223, 226.0
  %x225 = fadd float %x224, 225.5
  %x226 = fmul float %x225, 228.0
  %x227 = fadd float %x226, 227.5
  %x228 = fmul float %x227, 230.0
  %x229 = fadd float %x228, 229.5
  %x230 = fmul float %x229, 232.0
  %x231 = fadd float %x230, 231.5
  %x232 = fmul float %x231, 234.0
  %x233 = fadd float %x232, 233.5
  %x234 = fmul float %x233, 236.0
  %x235 = fadd float %x234, 235.5
  %x236 = fmul float %x235, 238.0
  %x237 = fadd float %x236, 237.5
  %x238 = fmul float %x237, 240.0
  %x239 = fadd float %x238, 239.5
  %x240 = fmul float %x239, 242.0
  %x241 = fadd float %x240, 241.5
  %x242 = fmul float %x241, 244.0
  %x243 = fadd float %x242, 243.5
  %x244 = fmul float %x243, 246.0
  %x245 = fadd float %x244, 245.5
  %x246 = fmul float %x245, 248.0
  %x247 = fadd float %x246, 247.5
  %x248 = fmul float %x247, 250.0
  %x249 = fadd float %x248, 249.5
  %x250 = fmul float %x249, 252.0
  %x251 = fadd float %x250, 251.5
  %x252 = fmul float %x251, 254.0
  %x253 = fadd float %x252, 253.5
  %x254 = fmul float %x253, 256.0
  %x255 = fadd float %x254, 255.5
  %x256 = fmul float %x255, 258.0
  %x257 = fadd float %x256, 257.5
  %x258 = fmul float %x257, 260.0
  %x259 = fadd float %x258, 259.5
  %x260 = fmul float %x259, 262.0
  %x261 = fadd float %x260, 261.5
  %x262 = fmul float %x261, 264.0
  %x263 = fadd float %x262, 263.5
  %x264 = fmul float %x263, 266.0
  %x265 = fadd float %x264, 265.5
  %x266 = fmul float %x265, 268.0
  %x267 = fadd float %x266, 267.5
  %x268 = fmul float %x267, 270.0
  %x269 = fadd float %x268, 269.5
  %x270 = fmul float %x269, 272.0
  %x271 = fadd float %x270, 271.5
  %x272 = fmul float %x271, 274.0
  %x273 = fadd float %x272, 273.5
  %x274 = fmul float %x273, 276.0
  %x275 = fadd float %x274, 275.5
  %x276 = fmul float %x275, 278.0
  %x277 = fadd float %x276, 277.5
  %x278 = fmul float %x277, 280.0
  %x279 = fadd float %x278, 279.5
  %x280 = fmul float %x279, 282.0
  %x281 = fadd float %x280, 281.5
  %x282 = fmul float %x281, 284.0
  %x283 = fadd float %x282, 283.5
  %x284 = fmul float %x283, 286.0
  %x285 = fadd float %x284, 285.5
  %x286 = fmul float %x285, 288.0
  %x287 = fadd float %x286, 287.5
  %x288 = fmul float %x287, 290.0
  %x289 = fadd float %x288, 289.5
  %x290 = fmul float %x289, 292.0
  %x291 = fadd float %x290, 291.5
  %x292 = fmul float %x291, 294.0
  %x293 = fadd float %x292, 293.5
  %x294 = fmul float %x293, 296.0
  %x295 = fadd float %x294, 295.5
  %x296 = fmul float %x295, 298.0
  %x297 = fadd float %x296, 297.5
  %x298 = fmul float %x297, 300.0
  %x299 = fadd float %x298, 299.5
  %x300 = fmul float %x299, 302.0
  ret float %x300
}
