// What the PTX ISA says of its instructions, in C++: `NAME.MODIFIERS.TYPE d, a, b` is
// `d = isa::NAME<TYPE>(a, b, MODIFIERS)`.
//
// Floating-point numbers of 16 bits are held as their bits. Arithmetic is plain C++ where that rounds to nearest;
// otherwise it is computed in `double`, rounded to odd, so that rounding once more, to fewer digits in any direction,
// is exact.
#pragma clang fp contract(off)
// Compilers need not make them fast.
#define ISA_LOOP _Pragma("clang loop unroll(disable) vectorize(disable)")

namespace isa {
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
using s8 = signed char;
using s16 = short;
using s32 = int;
using s64 = long long;
using b8 = u8;
using b16 = u16;
using b32 = u32;
using b64 = u64;
using f32 = float;
using f64 = double;
struct f16;
struct bf16;
struct tf32;
struct f16x2;
struct bf16x2;
struct u16x2;
struct s16x2;

enum Modifier : u64 {
  rn = 1ull << 0, rz = 1ull << 1, rm = 1ull << 2, rp = 1ull << 3, ftz = 1ull << 4, sat = 1ull << 5,
  relu = 1ull << 6, NaN = 1ull << 7, lo = 1ull << 8, hi = 1ull << 9, wide = 1ull << 10, l = 1ull << 11,
  r = 1ull << 12, wrap = 1ull << 13, clamp = 1ull << 14, f4e = 1ull << 15, b4e = 1ull << 16, rc8 = 1ull << 17,
  ecl = 1ull << 18, ecr = 1ull << 19, rc16 = 1ull << 20, shiftamt = 1ull << 21, rni = 1ull << 22, rzi = 1ull << 23,
  rmi = 1ull << 24, rpi = 1ull << 25, rna = 1ull << 26, eq = 1ull << 27, ne = 1ull << 28, lt = 1ull << 29,
  le = 1ull << 30, gt = 1ull << 31, ge = 1ull << 32, ls = 1ull << 33, hs = 1ull << 34, equ = 1ull << 35,
  neu = 1ull << 36, ltu = 1ull << 37, leu = 1ull << 38, gtu = 1ull << 39, geu = 1ull << 40, num = 1ull << 41,
  nan = 1ull << 42, finite = 1ull << 43, infinite = 1ull << 44, number = 1ull << 45, notanumber = 1ull << 46,
  normal = 1ull << 47, subnormal = 1ull << 48, up = 1ull << 49, down = 1ull << 50, bfly = 1ull << 51,
  idx = 1ull << 52, xorsign = 1ull << 53, satfinite = 1ull << 54,
};

template <class T> struct Holder { using Type = T; };
template <> struct Holder<f16> { using Type = u16; };
template <> struct Holder<bf16> { using Type = u16; };
template <> struct Holder<tf32> { using Type = float; };
template <> struct Holder<f16x2> { using Type = u32; using Half = f16; };
template <> struct Holder<bf16x2> { using Type = u32; using Half = bf16; };
template <> struct Holder<u16x2> { using Type = u32; using Half = u16; };
template <> struct Holder<s16x2> { using Type = u32; using Half = s16; };
/// What a register holds for a number of this type.
template <class T> using Held = typename Holder<T>::Type;
template <class T> using Half = typename Holder<T>::Half;

template <class T, class U> constexpr bool is = false;
template <class T> constexpr bool is<T, T> = true;
template <class T>
constexpr bool isPair = is<T, f16x2> || is<T, bf16x2> || is<T, u16x2> || is<T, s16x2>;
template <class T> constexpr bool isFloat = is<T, f16> || is<T, bf16> || is<T, f32> || is<T, f64>;
template <class T> constexpr int bitsOf = sizeof(Held<T>) * 8;
/// Of numbers of at most 64 bits.
template <class T> constexpr bool isSigned = T(-1) < T(0);

__device__ inline u32 join(u32 low, u32 high) { return (low & 0xffff) | high << 16; }
__device__ inline u16 low(u32 pair) { return u16(pair); }
__device__ inline u16 high(u32 pair) { return u16(pair >> 16); }

//===--- Floating-point formats ---===//

template <class T> constexpr int digits = is<T, f16> ? 11 : is<T, bf16> ? 8 : is<T, f32> ? 24 : 53;
template <class T> constexpr u64 infinity = (is<T, f16> ? 31ull : is<T, f64> ? 2047ull : 255ull) << (digits<T> - 1);
template <class T> constexpr u64 sign = 1ull << (bitsOf<T> - 1);
template <class T> constexpr int bias = int(infinity<T> >> digits<T>);

template <class T> __device__ u64 toBits(Held<T> x) {
  if constexpr (is<T, f32>)
    return u32(__float_as_uint(x));
  else if constexpr (is<T, f64>)
    return u64(__double_as_longlong(x));
  else
    return x;
}

template <class T> __device__ Held<T> fromBits(u64 bits) {
  if constexpr (is<T, f32>)
    return __uint_as_float(u32(bits));
  else if constexpr (is<T, f64>)
    return __longlong_as_double(s64(bits));
  else
    return Held<T>(bits);
}

template <class T> __device__ bool isNaN(Held<T> x) { return (toBits<T>(x) & ~sign<T>) > infinity<T>; }
template <class T> __device__ bool isNegative(Held<T> x) { return toBits<T>(x) & sign<T>; }

/// All bits of a number, those of what is no number always the same.
template <class T> __device__ u64 clean(Held<T> x) {
  if constexpr (isPair<T>)
    return join(u32(clean<Half<T>>(low(x))), u32(clean<Half<T>>(high(x))));
  else
    return isNaN<T>(x) ? sign<T> - 1 : toBits<T>(x);
}

/// The number as a `double`, which is exact.
template <class T> __device__ double valueOf(Held<T> x) {
  if constexpr (is<T, f32> || is<T, f64>) {
    return x;
  } else if constexpr (is<T, bf16>) {
    return __uint_as_float(u32(x) << 16);
  } else {
    u64 exponent = x >> 10 & 31, fraction = x & 1023;
    double size = exponent ? fromBits<f64>((exponent + 1023 - 15) << 52 | fraction << 42) : fraction / 16777216.0;
    if (exponent == 31)
      size = fromBits<f64>(fraction ? 0x7ff8000000000000ull : 0x7ff0000000000000ull);
    return x >> 15 ? -size : size;
  }
}

/// The number with fewer digits that is next to `x`, in the direction that `m` says.
template <class T> __device__ Held<T> roundedFinite(double x, u64 m) {
  u64 bits = toBits<f64>(x), negative = bits >> 63 ? sign<T> : 0;
  int exponent = int(bits >> 52 & 2047) - 1023, least = 1 - bias<T>;
  u64 mantissa = (bits & 0xfffffffffffffull) | (exponent > -1023 ? 1ull << 52 : 0);
  int drop = 53 - digits<T> + (exponent < least ? least - exponent : 0);
  drop = drop > 60 ? 60 : drop;
  u64 kept = mantissa >> drop, rest = mantissa & ((1ull << drop) - 1), half = 1ull << (drop - 1);
  bool isAway = m & rz   ? false
                : m & rm ? negative && rest
                : m & rp ? !negative && rest
                         : rest > half || (rest == half && (kept & 1));
  u64 result = (exponent < least ? 0 : u64(exponent + bias<T> - 1) << (digits<T> - 1)) + kept + isAway;
  bool isCut = m & (rz | (negative ? rp : rm));
  return fromBits<T>(negative | (result < infinity<T> ? result : infinity<T> - isCut));
}

template <class T> __device__ Held<T> rounded(double x, u64 m) {
  if constexpr (is<T, f64>)
    return x;
  else if (x != x)
    return fromBits<T>(sign<T> - 1);
  else if (x - x != 0)
    return fromBits<T>(infinity<T> | (x < 0 ? sign<T> : 0));
  else
    return roundedFinite<T>(x, m);
}

/// The number beside x that is further from zero, or nearer to it.
__device__ inline double beside(double x, bool isFurther) {
  return fromBits<f64>(toBits<f64>(x) + (isFurther ? 1 : ~0ull));
}

__device__ inline bool isFinite(double x) { return (toBits<f64>(x) & infinity<f64>) != infinity<f64>; }

/// `a + b` to nearest, and what is missing.
__device__ inline double sumOf(double a, double b, u64 m, double &rest) {
  double sum = a + b;
  rest = 0;
  if (!isFinite(a) || !isFinite(b) || !isFinite(sum))
    return sum;
  if (sum == 0)
    return isNegative<f64>(a) == isNegative<f64>(b) ? sum : m & rm ? -0.0 : 0.0;
  bool isOrdered = fromBits<f64>(clean<f64>(a) & ~sign<f64>) >= fromBits<f64>(clean<f64>(b) & ~sign<f64>);
  double larger = isOrdered ? a : b, smaller = isOrdered ? b : a;
  rest = smaller - (sum - larger);
  return sum;
}

/// The sum, if it is not exact the odd one of its neighbours.
__device__ inline double sumToOdd(double a, double b, u64 m) {
  double rest, sum = sumOf(a, b, m, rest);
  return rest == 0 || (toBits<f64>(sum) & 1) ? sum : beside(sum, (rest > 0) == (sum > 0));
}

__device__ inline double sumOfDoubles(double a, double b, u64 m) {
  double rest, sum = sumOf(a, b, m, rest);
  bool isTooMuch = m & (sum > 0 ? rz | rm : rz | rp);
  if (!isFinite(sum))
    return isFinite(a) && isFinite(b) && isTooMuch ? beside(sum, false) : sum;
  bool isAbove = rest < 0, isBelow = rest > 0;
  if ((sum > 0 ? isAbove : isBelow) && isTooMuch)
    return beside(sum, false);
  bool isTooLittle = m & (sum > 0 ? rp : rm);
  return (sum > 0 ? isBelow : isAbove) && isTooLittle ? beside(sum, true) : sum;
}

template <class T> __device__ Held<T> flush(Held<T> x, u64 m) {
  u64 bits = toBits<T>(x);
  return m & ftz && !(bits & infinity<T>) ? fromBits<T>(bits & sign<T>) : x;
}

/// What the modifiers say of a result.
template <class T> __device__ Held<T> finish(Held<T> x, u64 m) {
  x = flush<T>(x, m);
  if (m & sat)
    x = valueOf<T>(x) > 0 ? valueOf<T>(x) > 1 ? rounded<T>(1, 0) : x : fromBits<T>(0);
  if (m & relu)
    x = isNaN<T>(x) || valueOf<T>(x) > 0 ? x : fromBits<T>(0);
  return x;
}

//===--- Integers ---===//

__device__ inline s32 saturated(s64 x) {
  return x < -2147483648ll ? -2147483647 - 1 : x > 2147483647ll ? 2147483647 : s32(x);
}

template <class T> __device__ Held<T> neg(Held<T> a, u64 m = 0) {
  if constexpr (isPair<T>)
    return join(neg<Half<T>>(low(a), m), neg<Half<T>>(high(a), m));
  else if constexpr (isFloat<T>)
    return flush<T>(fromBits<T>(toBits<T>(a) ^ sign<T>), m);
  else
    return T(0 - u64(a));
}

template <class T> __device__ Held<T> abs(Held<T> a, u64 m = 0) {
  if constexpr (isPair<T>)
    return join(abs<Half<T>>(low(a), m), abs<Half<T>>(high(a), m));
  else if constexpr (isFloat<T>)
    return flush<T>(fromBits<T>(toBits<T>(a) & ~sign<T>), m);
  else
    return a < 0 ? T(0 - u64(a)) : a;
}

template <class T> __device__ Held<T> add(Held<T> a, Held<T> b, u64 m = 0) {
  if constexpr (isPair<T>) {
    return join(add<Half<T>>(low(a), low(b), m), add<Half<T>>(high(a), high(b), m));
  } else if constexpr (isFloat<T>) {
    a = flush<T>(a, m);
    b = flush<T>(b, m);
    if constexpr (is<T, f64>)
      return sumOfDoubles(a, b, m);
    if constexpr (is<T, f32>)
      if (!(m & (rz | rm | rp)))
        return finish<T>(a + b, m);
    return finish<T>(rounded<T>(sumToOdd(valueOf<T>(a), valueOf<T>(b), m), m), m);
  } else {
    return m & sat ? T(saturated(s64(a) + s64(b))) : T(u64(a) + u64(b));
  }
}

template <class T> __device__ Held<T> sub(Held<T> a, Held<T> b, u64 m = 0) {
  if constexpr (isPair<T> || isFloat<T>)
    return add<T>(a, neg<T>(b), m);
  else
    return m & sat ? T(saturated(s64(a) - s64(b))) : T(u64(a) - u64(b));
}

/// The upper half of a product of 128 bits.
__device__ inline u64 upperProduct(u64 a, u64 b) {
  u64 low = (a & 0xffffffff) * (b & 0xffffffff), cross = (a >> 32) * (b & 0xffffffff) + (low >> 32);
  u64 other = (a & 0xffffffff) * (b >> 32) + (cross & 0xffffffff);
  return (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32);
}

template <class T> __device__ u64 product(T a, T b, u64 m) {
  if (!(m & hi))
    return u64(a) * u64(b);
  if constexpr (sizeof(T) < 8)
    return isSigned<T> ? u64(s64(a) * s64(b) >> bitsOf<T>) : u64(a) * u64(b) >> bitsOf<T>;
  else
    return upperProduct(a, b) - (a < 0 ? u64(b) : 0) - (b < 0 ? u64(a) : 0);
}

/// Integers as 64 bits, of which a register takes its own.
template <class T> __device__ auto mul(Held<T> a, Held<T> b, u64 m = 0) {
  if constexpr (isPair<T>) {
    return join(mul<Half<T>>(low(a), low(b), m), mul<Half<T>>(high(a), high(b), m));
  } else if constexpr (isFloat<T>) {
    a = flush<T>(a, m);
    b = flush<T>(b, m);
    if constexpr (is<T, f32> || is<T, f64>)
      if (!(m & (rz | rm | rp)))
        return finish<T>(a * b, m);
    return finish<T>(rounded<T>(valueOf<T>(a) * valueOf<T>(b), m), m);
  } else {
    return product<T>(a, b, m);
  }
}

template <class T> __device__ u64 mad(T a, T b, u64 c, u64 m = 0) {
  u64 part = product<T>(a, b, m);
  return m & sat ? u64(saturated(s64(s32(part)) + s32(c))) : part + c;
}

template <class T> __device__ Held<T> fma(Held<T> a, Held<T> b, Held<T> c, u64 m = 0) {
  if constexpr (isPair<T>) {
    return join(fma<Half<T>>(low(a), low(b), low(c), m), fma<Half<T>>(high(a), high(b), high(c), m));
  } else if constexpr (is<T, f64>) {
    return ::fma(a, b, c);
  } else {
    double part = valueOf<T>(flush<T>(a, m)) * valueOf<T>(flush<T>(b, m));
    return finish<T>(rounded<T>(sumToOdd(part, valueOf<T>(flush<T>(c, m)), m), m), m);
  }
}

template <class T> __device__ u64 mul24(T a, T b, u64 m) {
  s64 left = s64(u64(a) << 40), right = s64(u64(b) << 40);
  u64 part = isSigned<T> ? u64((left >> 40) * (right >> 40)) : (u64(left) >> 40) * (u64(right) >> 40);
  return m & hi ? part >> 16 : part;
}

template <class T> __device__ u64 mad24(T a, T b, T c, u64 m) {
  u64 part = mul24<T>(a, b, m);
  return m & sat ? u64(saturated(s64(s32(part)) + s32(c))) : part + u64(c);
}

template <class T> __device__ u64 sad(T a, T b, T c) {
  return (a < b ? u64(b) - u64(a) : u64(a) - u64(b)) + u64(c);
}

template <class T> __device__ Held<T> div(Held<T> a, Held<T> b, u64 m = 0) {
  if constexpr (is<T, f32>) {
    a = flush<T>(a, m);
    b = flush<T>(b, m);
    return finish<T>(m & (rz | rm | rp) ? rounded<T>(double(a) / double(b), m) : a / b, m);
  } else {
    return T(a / b);
  }
}

template <class T> __device__ T rem(T a, T b) { return T(a % b); }
template <class T> __device__ T rcp(T a, u64 m = 0) { return div<T>(T(1), a, m); }

template <class T> __device__ T sqrt(T a, u64 m = 0) {
  a = flush<T>(a, m);
  if constexpr (is<T, f32>)
    return finish<T>(m & (rz | rm | rp) ? rounded<T>(::sqrt(double(a)), m) : ::sqrtf(a), m);
  else
    return ::sqrt(a);
}

/// Of two floats that are flushed.
template <class T> __device__ Held<T> extremeFloat(Held<T> a, Held<T> b, u64 m, bool isMin) {
  if (isNaN<T>(a) || isNaN<T>(b))
    return isNaN<T>(b) == bool(m & NaN) ? b : a;
  if (valueOf<T>(a) == valueOf<T>(b))
    return isNegative<T>(a) == isMin ? a : b;
  return (valueOf<T>(a) < valueOf<T>(b)) == isMin ? a : b;
}

/// The smaller one, or the larger one.
template <class T> __device__ Held<T> extreme(Held<T> a, Held<T> b, u64 m, bool isMin) {
  if constexpr (isPair<T>) {
    return join(extreme<Half<T>>(low(a), low(b), m, isMin), extreme<Half<T>>(high(a), high(b), m, isMin));
  } else if constexpr (isFloat<T>) {
    a = flush<T>(a, m);
    b = flush<T>(b, m);
    if (!(m & xorsign))
      return extremeFloat<T>(a, b, m, isMin);
    u64 left = toBits<T>(a), right = toBits<T>(b), signs = (left ^ right) & sign<T>;
    Held<T> size = extremeFloat<T>(fromBits<T>(left & ~sign<T>), fromBits<T>(right & ~sign<T>), m, isMin);
    return isNaN<T>(size) ? size : fromBits<T>(toBits<T>(size) | signs);
  } else {
    T found = (a < b) == isMin ? a : b;
    return m & relu && found < 0 ? T(0) : found;
  }
}

template <class T> __device__ Held<T> min(Held<T> a, Held<T> b, u64 m = 0) { return extreme<T>(a, b, m, true); }
template <class T> __device__ Held<T> max(Held<T> a, Held<T> b, u64 m = 0) { return extreme<T>(a, b, m, false); }
/// Of three numbers.
template <class T> __device__ Held<T> min3(Held<T> a, Held<T> b, Held<T> c, u64 m = 0) {
  return min<T>(min<T>(a, b, m), c, m);
}
template <class T> __device__ Held<T> max3(Held<T> a, Held<T> b, Held<T> c, u64 m = 0) {
  return max<T>(max<T>(a, b, m), c, m);
}

template <class T> __device__ T copysign(T a, T b) {
  return fromBits<T>((toBits<T>(a) & sign<T>) | (toBits<T>(b) & ~sign<T>));
}

/// Zeros are normal.
template <class T> __device__ bool testp(T a, u64 m) {
  u64 size = toBits<T>(a) & ~sign<T>, tiny = 1ull << (digits<T> - 1);
  return m & finite       ? size < infinity<T>
         : m & infinite   ? size == infinity<T>
         : m & number     ? size <= infinity<T>
         : m & notanumber ? size > infinity<T>
         : m & normal     ? size < infinity<T> && (size >= tiny || size == 0)
                          : size < tiny && size != 0;
}

/// Four bytes of each, or two halves of the first with the lower or the higher bytes of the second.
template <class T, class U> __device__ u32 dp4a(u32 a, u32 b, u32 c) {
  ISA_LOOP
  for (int i = 0; i < 4; ++i)
    c += u32(isSigned<T> ? s8(a >> 8 * i) : u8(a >> 8 * i)) * u32(isSigned<U> ? s8(b >> 8 * i) : u8(b >> 8 * i));
  return c;
}

template <class T, class U> __device__ u32 dp2a(u32 a, u32 b, u32 c, u64 m) {
  b = m & hi ? b >> 16 : b;
  ISA_LOOP
  for (int i = 0; i < 2; ++i)
    c += u32(isSigned<T> ? s16(a >> 16 * i) : u16(a >> 16 * i)) * u32(isSigned<U> ? s8(b >> 8 * i) : u8(b >> 8 * i));
  return c;
}

/// Two numbers, saturated to `bits` bits each, the second one lower, below what fits of `c`.
__device__ u32 pack(s32 a, s32 b, u32 c, u32 bits, bool isSignedNumber) {
  s64 high = isSignedNumber ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1, low = isSignedNumber ? -high - 1 : 0;
  s64 first = a < low ? low : a > high ? high : a, second = b < low ? low : b > high ? high : b;
  u64 mask = (1ull << bits) - 1;
  return u32(u64(c) << 2 * bits | (u64(first) & mask) << bits | (u64(second) & mask));
}

//===--- Carries ---===//

template <class T> __device__ u64 addc(T a, T b, bool in, bool &out) {
  u64 mask = ~0ull >> (64 - bitsOf<T>), left = u64(a) & mask, right = u64(b) & mask;
  u64 sum = (left + right + in) & mask;
  out = sum < left || (in && sum == left);
  return sum;
}

/// The carry is a borrow.
template <class T> __device__ u64 subc(T a, T b, bool in, bool &out) {
  u64 mask = ~0ull >> (64 - bitsOf<T>), left = u64(a) & mask, right = u64(b) & mask;
  out = left < right || (in && left == right);
  return left - right - in;
}

template <class T> __device__ u64 madc(T a, T b, T c, bool in, bool &out, u64 m) {
  return addc<T>(T(product<T>(a, b, m)), c, in, out);
}

//===--- Bits ---===//

template <class T> __device__ T cnot(T a) { return a == 0; }
template <class T> __device__ T shl(T a, u32 n) { return n < bitsOf<T> ? T(u64(a) << n) : T(0); }
template <class T> __device__ T shr(T a, u32 n) { return n < bitsOf<T> ? T(a >> n) : a < 0 ? T(-1) : T(0); }

template <class T> __device__ u32 shf(u32 a, u32 b, u32 n, u64 m) {
  n = m & wrap ? n % 32 : n > 32 ? 32 : n;
  if (n == 0)
    return m & l ? b : a;
  if (n == 32)
    return m & l ? a : b;
  return m & l ? b << n | a >> (32 - n) : b << (32 - n) | a >> n;
}

template <class T> __device__ u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  ISA_LOOP
  for (int i = 0; i < 32; ++i)
    result |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  return result;
}

template <class T> __device__ u32 prmt(u32 a, u32 b, u32 c, u64 m = 0) {
  u32 result = 0, n = c & 3;
  ISA_LOOP
  for (u32 i = 0; i < 4; ++i) {
    u32 from = m & f4e    ? n + i
               : m & b4e  ? (n - i) & 7
               : m & rc8  ? n
               : m & ecl  ? (i > n ? i : n)
               : m & ecr  ? (i < n ? i : n)
               : m & rc16 ? (n & 1) * 2 + (i & 1)
                          : c >> 4 * i & 15;
    u32 byte = (from & 4 ? b : a) >> 8 * (from & 3) & 255;
    result |= (from & 8 ? (byte >> 7) * 255 : byte) << 8 * i;
  }
  return result;
}

template <class T> __device__ T bfe(T a, u32 position, u32 length) {
  u32 first = position & 255, count = length & 255, last = first + count - 1;
  u64 fill = isSigned<T> && count ? u64(a) >> (last < bitsOf<T> - 1 ? last : bitsOf<T> - 1) & 1 : 0, result = 0;
  ISA_LOOP
  for (u32 i = 0; i < bitsOf<T>; ++i)
    result |= (i < count && first + i < bitsOf<T> ? u64(a) >> (first + i) & 1 : fill) << i;
  return T(result);
}

template <class T> __device__ T bfi(T a, T b, u32 position, u32 length) {
  u32 first = position & 255, count = length & 255;
  ISA_LOOP
  for (u32 i = 0; i < count && first + i < bitsOf<T>; ++i)
    b = T((b & ~(T(1) << (first + i))) | (a >> i & 1) << (first + i));
  return b;
}

template <class T> __device__ u32 bmsk(u32 a, u32 b, u64 m) {
  u64 first = m & wrap ? a & 31 : a, count = m & wrap ? b & 31 : b, result = 0;
  ISA_LOOP
  for (u64 i = 0; i < 32; ++i)
    result |= u64(i >= first && i < first + count) << i;
  return u32(result);
}

template <class T> __device__ u32 szext(u32 a, u32 b, u64 m) {
  u32 count = m & wrap ? b & 31 : b;
  if (count >= 32)
    return a;
  u32 fill = isSigned<T> && count ? a >> (count - 1) & 1 : 0;
  ISA_LOOP
  for (u32 i = count; i < 32; ++i)
    a = (a & ~(1u << i)) | fill << i;
  return a;
}

template <class T> __device__ u32 popc(T a) {
  u32 ones = 0;
  ISA_LOOP
  for (; a; a &= a - 1)
    ++ones;
  return ones;
}

template <class T> __device__ u32 clz(T a) {
  u32 zeros = 0;
  ISA_LOOP
  while (zeros < bitsOf<T> && !(a >> (bitsOf<T> - 1 - zeros) & 1))
    ++zeros;
  return zeros;
}

template <class T> __device__ u32 bfind(T a, u64 m = 0) {
  u64 value = isSigned<T> && a < 0 ? ~u64(s64(a)) : u64(a);
  ISA_LOOP
  for (int i = bitsOf<T> - 1; i >= 0; --i)
    if (value >> i & 1)
      return m & shiftamt ? bitsOf<T> - 1 - i : i;
  return ~0u;
}

template <class T> __device__ T brev(T a) {
  T result = 0;
  ISA_LOOP
  for (u32 i = 0; i < bitsOf<T>; ++i)
    result |= (a >> i & 1) << (bitsOf<T> - 1 - i);
  return result;
}

//===--- Comparisons ---===//

template <class T> __device__ bool compare(Held<T> a, Held<T> b, u64 m) {
  bool isUnordered = false, isEqual, isLess;
  if constexpr (isFloat<T>) {
    double left = valueOf<T>(flush<T>(a, m)), right = valueOf<T>(flush<T>(b, m));
    isUnordered = left != left || right != right;
    isEqual = left == right;
    isLess = left < right;
  } else {
    isEqual = a == b;
    isLess = a < b;
  }
  bool isMore = !isUnordered && !isEqual && !isLess;
  return m & eq           ? isEqual
         : m & ne         ? isLess || isMore
         : m & (lt | lo)  ? isLess
         : m & (le | ls)  ? isLess || isEqual
         : m & (gt | hi)  ? isMore
         : m & (ge | hs)  ? isMore || isEqual
         : m & equ        ? isEqual || isUnordered
         : m & neu        ? !isEqual
         : m & ltu        ? isLess || isUnordered
         : m & leu        ? !isMore
         : m & gtu        ? isMore || isUnordered
         : m & geu        ? !isLess
         : m & num        ? !isUnordered
                          : isUnordered;
}

/// The sign of what is flushed does not count.
template <class T, class U> __device__ Held<T> slct(Held<T> a, Held<T> b, U c, u64 m = 0) {
  if constexpr (is<U, f32>)
    c = flush<U>(c, m);
  return c >= 0 ? a : b;
}

//===--- Conversions ---===//

/// To a whole number.
__device__ inline double whole(double x, u64 m) {
  double size = x < 0 ? -x : x;
  if (!(size < 4503599627370496.0))
    return x;
  double below = double(s64(size)), rest = size - below;
  bool isOdd = s64(size) & 1, isNegative = toBits<f64>(x) >> 63;
  bool isAway = m & rni   ? rest > 0.5 || (rest == 0.5 && isOdd)
                : m & rmi ? isNegative && rest > 0
                : m & rpi ? !isNegative && rest > 0
                          : false;
  double result = below + isAway;
  return isNegative ? -result : result;
}

/// Of `.s` or `.u` with so many bits.
template <class T> constexpr double least = isSigned<T> ? -double(1ull << (bitsOf<T> - 1)) : 0;
template <class T> constexpr double behind = double(1ull << (bitsOf<T> - 1)) * (isSigned<T> ? 1 : 2);
template <class T> constexpr u64 most = isSigned<T> ? (1ull << (bitsOf<T> - 1)) - 1 : ~0ull >> (64 - bitsOf<T>);

template <class To, class From> __device__ To floatToInteger(Held<From> x, u64 m) {
  double value = whole(valueOf<From>(is<From, f32> ? flush<From>(x, m) : x), m);
  if (value != value)
    return is<From, f64> || bitsOf<To> == 64 ? To(1ull << (bitsOf<To> - 1)) : To(0);
  if (value >= behind<To>)
    return To(most<To>);
  return value < least<To> ? To(isSigned<To> ? ~most<To> : 0) : To(value);
}

template <class To, class From> __device__ To integerToInteger(From x, u64 m) {
  if (!(m & sat))
    return To(x);
  if (x < 0)
    return !isSigned<To> ? To(0) : bitsOf<From> <= bitsOf<To> ? To(x) : s64(x) < s64(~most<To>) ? To(~most<To>) : To(x);
  return u64(x) > most<To> ? To(most<To>) : To(x);
}

template <class To, class From> __device__ Held<To> integerToFloat(From x, u64 m) {
  bool isDirected = m & (rz | rm | rp);
  // Both halves of 64 bits are exact.
  double upper = double(x >> 16 >> 16) * 4294967296.0, lower = u32(x);
  if (sizeof(From) < 8 || !isDirected)
    return finish<To>(is<To, f32> && !isDirected ? float(x) : rounded<To>(double(x), m), m);
  if constexpr (is<To, f64>)
    return finish<To>(sumOfDoubles(upper, lower, m), m);
  else
    return finish<To>(rounded<To>(sumToOdd(upper, lower, m), m), m);
}

template <class To, class From> __device__ Held<To> floatToFloat(Held<From> x, u64 m) {
  u64 flushes = is<From, f32> ? m : 0;
  double value = valueOf<From>(flush<From>(x, flushes));
  if constexpr (is<To, From>)
    value = m & (rni | rzi | rmi | rpi) ? whole(value, m) : value;
  if constexpr (bitsOf<To> == 16) {
    double largest = valueOf<To>(fromBits<To>(infinity<To> - 1));
    if (m & satfinite && (value > largest || value < -largest))
      value = value < 0 ? -largest : largest;
  }
  return finish<To>(rounded<To>(value, m), is<To, f32> ? m : m & ~ftz);
}

template <class To, class From> __device__ Held<To> cvt(Held<From> x, u64 m = 0) {
  if constexpr (isFloat<To> && isFloat<From>)
    return floatToFloat<To, From>(x, m);
  else if constexpr (isFloat<To>)
    return integerToFloat<To, From>(x, m);
  else if constexpr (isFloat<From>)
    return floatToInteger<To, From>(x, m);
  else
    return integerToInteger<To, From>(x, m);
}

/// The first number becomes the upper half.
template <class To> __device__ u32 cvtPair(float a, float b, u64 m) {
  return join(cvt<Half<To>, f32>(b, m), cvt<Half<To>, f32>(a, m));
}

/// With 11 digits.
__device__ inline float cvtTF32(float x, u64 m) {
  u32 bits = u32(toBits<f32>(x)), rest = bits & 0x1fff;
  if ((bits & 0x7f800000) == 0x7f800000)
    return x;
  bool isAway = m & rna ? rest >= 0x1000 : rest > 0x1000 || (rest == 0x1000 && (bits & 0x2000));
  return fromBits<f32>((bits & ~0x1fffu) + (isAway ? 0x2000 : 0));
}

/// The number of eight bits, but for what is none.
template <int fractionBits> __device__ double eighthValue(u32 byte) {
  int least = fractionBits == 3 ? -6 : -14, exponent = byte >> fractionBits & ((128 >> fractionBits) - 1);
  double fraction = (byte & ((1 << fractionBits) - 1)) / double(1 << fractionBits);
  double value = exponent ? ldexp(1 + fraction, exponent + least - 1) : ldexp(fraction, least);
  return byte & 0x80 ? -value : value;
}

/// The nearest of all; of two that are as near the even one, the largest for what is beyond.
template <int fractionBits> __device__ u32 toEighth(double x, u64 m) {
  u32 largest = fractionBits == 3 ? 0x7e : 0x7b, best = 0, negative = toBits<f64>(x) >> 63 ? 0x80 : 0;
  if (x != x)
    return 0x7f;
  // Beyond all of them, where differences are still exact.
  double size = negative ? -x : x;
  if (size > 131072)
    size = 131072;
  for (u32 byte = 1; byte <= largest; ++byte) {
    double distance = size - eighthValue<fractionBits>(byte), least = size - eighthValue<fractionBits>(best);
    distance = distance < 0 ? -distance : distance;
    least = least < 0 ? -least : least;
    if (distance < least || (distance == least && byte % 2 == 0))
      best = byte;
  }
  return m & relu ? negative ? 0 : best : best | negative;
}

/// The first number becomes the upper byte.
template <int fractionBits> __device__ u16 toEighths(double a, double b, u64 m) {
  return u16(toEighth<fractionBits>(a, m) << 8 | toEighth<fractionBits>(b, m));
}

template <int fractionBits> __device__ u32 fromEighth(u32 byte, u64 m) {
  bool isNone = (byte & 0x7f) > (fractionBits == 3 ? 0x7e : 0x7c);
  bool hasSign = byte & 0x80 && !(m & relu);
  if (byte & 0x80 && !isNone && m & relu)
    return 0;
  u32 bits = fractionBits == 2 ? (byte & 0x7f) << 8
             : isNone          ? 0x7fff
                               : rounded<f16>(eighthValue<fractionBits>(byte & 0x7f), 0);
  return bits | (hasSign ? 0x8000 : 0);
}

template <int fractionBits> __device__ u32 fromEighths(u32 pair, u64 m) {
  return fromEighth<fractionBits>(pair >> 8 & 0xff, m) << 16 | fromEighth<fractionBits>(pair & 0xff, m);
}

/// The number of six bits, all of which are numbers.
template <int fractionBits> __device__ double sixthValue(u32 bits) {
  int least = fractionBits == 3 ? 0 : -2, exponent = bits >> fractionBits & ((32 >> fractionBits) - 1);
  double fraction = (bits & ((1 << fractionBits) - 1)) / double(1 << fractionBits);
  return exponent ? ldexp(1 + fraction, exponent + least - 1) : ldexp(fraction, least);
}

/// As of eight bits; what is no number becomes the largest one.
template <int fractionBits> __device__ u32 toSixth(double x, u64 m) {
  u32 best = 0, negative = toBits<f64>(x) >> 63 ? 0x20 : 0;
  if (x != x)
    return 0x1f;
  double size = negative ? -x : x;
  for (u32 bits = 1; bits < 0x20; ++bits) {
    double middle = (sixthValue<fractionBits>(bits - 1) + sixthValue<fractionBits>(bits)) / 2;
    if (size > middle || (size == middle && bits % 2 == 0))
      best = bits;
  }
  return m & relu ? negative ? 0 : best : best | negative;
}

template <int fractionBits> __device__ u16 toSixths(double a, double b, u64 m) {
  return u16(toSixth<fractionBits>(a, m) << 8 | toSixth<fractionBits>(b, m));
}

template <int fractionBits> __device__ u32 fromSixth(u32 bits, u64 m) {
  if (bits & 0x20 && m & relu)
    return 0;
  return u32(rounded<f16>(sixthValue<fractionBits>(bits & 0x1f), 0)) | (bits & 0x20 ? 0x8000 : 0);
}

template <int fractionBits> __device__ u32 fromSixths(u32 pair, u64 m) {
  return fromSixth<fractionBits>(pair >> 8 & 0xff, m) << 16 | fromSixth<fractionBits>(pair & 0xff, m);
}

/// The power of two, from 2^-127 to 2^127, that is next to the number, below or above it; 255 is none.
__device__ inline u32 toScale(double x, u64 m) {
  double size = x < 0 ? -x : x, largest = ldexp(1, 127);
  if (x != x)
    return 255;
  if (size > largest * 1.9999999)
    return m & satfinite ? 254 : 255;
  u32 below = 0;
  for (u32 scale = 1; scale < 255; ++scale)
    if (ldexp(1, int(scale) - 127) <= size)
      below = scale;
  bool isExact = size <= ldexp(1, int(below) - 127);
  u32 scale = m & rp && !isExact ? below + 1 : below;
  return scale > 254 && m & satfinite ? 254 : scale;
}

__device__ inline u16 toScales(double a, double b, u64 m) { return u16(toScale(a, m) << 8 | toScale(b, m)); }

__device__ inline u32 fromScale(u32 scale) { return scale == 255 ? 0x7fff : scale == 0 ? 0x0040 : scale << 7; }

__device__ inline u32 fromScales(u32 pair) { return fromScale(pair >> 8 & 0xff) << 16 | fromScale(pair & 0xff); }

//===--- Memory ---===//

/// As many bytes as the type has.
template <class T> __device__ T load(const u8 *bytes) {
  T value;
  __builtin_memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T> __device__ void store(u8 *bytes, T value) {
  __builtin_memcpy(bytes, &value, sizeof(T));
}

/// What the memory holds before, when it is incremented or decremented in a circle.
__device__ inline u32 inc(u32 old, u32 b) { return old >= b ? 0 : old + 1; }
__device__ inline u32 dec(u32 old, u32 b) { return old == 0 || old > b ? b : old - 1; }

//===--- Threads together: `all` has a value of each thread of the block ---===//

/// The lane whose value a shuffle takes; the thread's own where there is none.
__device__ inline u32 sourceLane(u32 lane, u32 b, u32 c, u64 m, bool &isThere) {
  u32 segments = c >> 8 & 31, first = lane & segments, last = first | (c & 31 & ~segments);
  s32 n = s32(b & 31), own = s32(lane);
  s32 from = m & up ? own - n : m & down ? own + n : m & bfly ? own ^ n : s32(first | (u32(n) & ~segments));
  isThere = m & up ? from >= s32(last) : from <= s32(last);
  return isThere ? u32(from) : lane;
}

__device__ inline u32 shfl(const u64 *all, u32 thread, u32 b, u32 c, bool &isThere, u64 m) {
  u32 lane = thread % 32;
  return u32(all[thread - lane + sourceLane(lane, b, c, m, isThere)]);
}

/// The lanes that have the same value as this one.
__device__ inline u32 match(const u64 *all, u32 thread) {
  u32 lanes = 0;
  ISA_LOOP
  for (u32 i = 0; i < 32; ++i)
    lanes |= u32(all[thread / 32 * 32 + i] == all[thread]) << i;
  return lanes;
}

/// The lanes that have 1.
__device__ inline u32 ballot(const u64 *all, u32 thread) {
  u32 lanes = 0;
  ISA_LOOP
  for (u32 i = 0; i < 32; ++i)
    lanes |= u32(all[thread / 32 * 32 + i] == 1) << i;
  return lanes;
}

/// How many threads of the block have 1.
__device__ inline u32 countThreads(const u64 *all, u32 threads) {
  u32 count = 0;
  ISA_LOOP
  for (u32 i = 0; i < threads; ++i)
    count += all[i] == 1;
  return count;
}

/// An element of the 16 rows of 8 numbers that are the values of a warp.
__device__ inline u32 element(const u64 *all, u32 thread, u32 row, u32 column) {
  return u32(all[thread / 32 * 32 + row * 2 + column / 4] >> column % 4 * 16) & 0xffff;
}

/// Two elements of matrix `number`, whose rows begin at `(lane * step + first) % 16`.
__device__ inline u32 ldmatrix(const u64 *all, u32 thread, u32 number, u32 step, u32 first, bool isTransposed) {
  u32 lane = thread % 32, result = 0;
  ISA_LOOP
  for (u32 i = 0; i < 2; ++i) {
    u32 row = isTransposed ? lane % 4 * 2 + i : lane / 4, column = isTransposed ? lane / 4 : lane % 4 * 2 + i;
    result |= element(all, thread, ((number * 8 + row) * step + first) % 16, column) << 16 * i;
  }
  return result;
}

/// The 8 bytes at the thread's place behind a store of two matrices, whose elements are in both words of `all`.
__device__ inline u64 stmatrix(const u64 *all, u32 thread, bool isTransposed) {
  u32 lane = thread % 32, row = lane / 2 % 8, number = lane / 16;
  u64 result = 0;
  ISA_LOOP
  for (u32 i = 0; i < 4; ++i) {
    u32 column = lane % 2 * 4 + i, from = isTransposed ? column * 4 + row / 2 : row * 4 + column / 2;
    u64 word = all[thread / 32 * 32 + from] >> 32 * number;
    result |= (word >> 16 * (isTransposed ? row % 2 : column % 2) & 0xffff) << 16 * i;
  }
  return result;
}

enum Reduction { sum, least_, most_, conjunction, disjunction, parity };

template <class T> __device__ T redux(const u64 *all, u32 thread, Reduction how) {
  T result = T(all[thread / 32 * 32]);
  ISA_LOOP
  for (u32 i = 1; i < 32; ++i) {
    T next = T(all[thread / 32 * 32 + i]);
    result = how == sum           ? T(u32(result) + u32(next))
             : how == least_      ? (next < result ? next : result)
             : how == most_       ? (next > result ? next : result)
             : how == conjunction ? result & next
             : how == disjunction ? result | next
                                  : result ^ next;
  }
  return result;
}
} // namespace isa
