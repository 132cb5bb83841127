"""Proves rewrites of index arithmetic for all numbers of 8 bits with Z3.

Each rule names the C++ function that rewrites by it. Numbers are bit vectors:
`narrow` ones of N bits, an `index` of 2N, and `whole` ones of 4N, in which
nothing here wraps and which stand for the integers; rules of quotients are of
integers without bounds. A rule holds where the negation of `given => claim` has
no model. What takes too long for all divisors is proven for some.

  prove-identities.py Z3
"""

import subprocess
import sys
from dataclasses import dataclass

# Of each width: floor division by a positive divisor, minima and maxima.
FUNCTIONS = """
(define-sort narrow () (_ BitVec {n}))
(define-sort index () (_ BitVec {i}))
(define-sort whole () (_ BitVec {w}))
(define-fun sext ((x narrow)) index ((_ sign_extend {n}) x))
(define-fun zext ((x narrow)) index ((_ zero_extend {n}) x))
(define-fun trunc ((x whole)) narrow ((_ extract {n_last} 0) x))
(define-fun signed ((x narrow)) whole ((_ sign_extend {n3}) x))
(define-fun unsigned ((x narrow)) whole ((_ zero_extend {n3}) x))
(define-fun int ((x index)) whole ((_ sign_extend {i}) x))
(define-fun lit ((x Int)) whole ((_ int2bv {w}) x))
(define-fun turn () whole ((_ int2bv {w}) {turn}))
(define-fun half () whole ((_ int2bv {w}) {half}))
(define-fun zero () whole (lit 0))
(define-fun one () whole (lit 1))
(define-fun fitsSigned ((x whole)) Bool (and (bvsle (bvneg half) x) (bvslt x half)))
(define-fun fitsUnsigned ((x whole)) Bool (and (bvsle zero x) (bvslt x turn)))
(define-fun isIndex ((x whole)) Bool (and (bvsle (bvneg (bvmul half turn)) x) (bvslt x (bvmul half turn))))
(define-fun floordiv ((x whole) (y whole)) whole
  (let ((q (bvsdiv x y)))
    (ite (and (not (= (bvmul q y) x)) (xor (bvslt x zero) (bvslt y zero))) (bvsub q one) q)))
(define-fun smin ((x whole) (y whole)) whole (ite (bvslt x y) x y))
(define-fun smax ((x whole) (y whole)) whole (ite (bvslt x y) y x))
(define-fun negative ((x whole)) whole (bvneg (smax (smin x zero) (lit (- 1)))))
(define-fun flag ((x Bool)) whole (ite x one zero))
"""


@dataclass
class Rule:
    """`given` implies `claim`, for all `variables`: names by their sort."""

    function: str
    says: str
    variables: dict
    claim: str
    given: str = "true"
    #: Divisors that stand for `c`, which takes too long for all of them.
    divisors: tuple = ()


def narrow(*names):
    return {name: "narrow" for name in names}


def whole(*names):
    return {name: "whole" for name in names}


def widened(name, operation):
    """An operation on the integers that narrow numbers stand for."""
    return f"({operation} ({name} x) ({name} y))"


def sums():
    for op in ("bvadd", "bvsub", "bvmul"):
        yield Rule(
            "IndexArithmetic::buildSum", f"sext(x {op} y), nsw", narrow("x", "y"),
            f"(= (sext ({op} x y)) ({op} (sext x) (sext y)))",
            f"(fitsSigned {widened('signed', op)})")
        yield Rule(
            "IndexArithmetic::buildSum", f"zext(x {op} y), nuw", narrow("x", "y"),
            f"(= (zext ({op} x y)) ({op} (zext x) (zext y)))",
            f"(fitsUnsigned {widened('unsigned', op)})")
        yield Rule(
            "IntegerValues::fit", f"congruent and in range: signed x {op} y", narrow("x", "y"),
            f"(= (signed ({op} x y)) {widened('unsigned', op)})",
            f"(fitsSigned {widened('unsigned', op)})")
        yield Rule(
            "IntegerValues::fit", f"congruent and in range: unsigned x {op} y", narrow("x", "y"),
            f"(= (unsigned ({op} x y)) {widened('signed', op)})",
            f"(fitsUnsigned {widened('signed', op)})")
    for op in ("bvadd", "bvmul"):
        yield Rule(
            "IndexArithmetic::buildSum", f"zext(x {op} y), nsw, neither negative", narrow("x", "y"),
            f"(= (zext ({op} x y)) ({op} (sext x) (sext y)))",
            f"(and (fitsSigned {widened('signed', op)}) (bvsge (signed x) zero) (bvsge (signed y) zero))")


def bits():
    mask = "(= (bvand m (bvadd m ((_ int2bv {n}) 1))) ((_ int2bv {n}) 0))"
    power = "(bvadd (zext m) ((_ int2bv {i}) 1))"
    for extend in ("sext", "zext"):
        yield Rule(
            "IndexArithmetic::buildBits", f"zext(x & (2^k - 1)) = {extend}(x) remui 2^k", narrow("x", "m"),
            f"(= (zext (bvand x m)) (bvurem ({extend} x) {power}))",
            f"(and {mask} (bvsge (signed m) zero))")
    yield Rule(
        "IndexArithmetic::buildBits", "the same by remsi, not negative", narrow("x", "m"),
        f"(= (zext (bvand x m)) (bvsrem (sext x) {power}))",
        f"(and {mask} (bvsge (signed m) zero) (bvsge (signed x) zero))")
    yield Rule("IndexArithmetic::buildBits", "sext(~x) = -1 - sext x", narrow("x"),
               "(= (sext (bvnot x)) (bvsub ((_ int2bv {i}) (- 1)) (sext x)))")


def divisions():
    for rule in divisions_by_any():
        rule.divisors = (1, 2, 3, 5, 7, 8, 10, 32, 100, 127)
        yield rule


def divisions_by_any():
    positive = "(bvsgt (signed c) zero)"
    floor = "(floordiv ({sign} x) (signed c))"
    for op in ("bvsdiv", "bvsrem"):
        yield Rule("IndexArithmetic::buildQuotient", f"sext({op}), c > 0", narrow("x", "c"),
                   f"(= (sext ({op} x c)) ({op} (sext x) (sext c)))", positive)
    for extend in ("sext", "zext"):
        yield Rule("IndexArithmetic::buildQuotient", f"{extend}(bvudiv), c > 1", narrow("x", "c"),
                   f"(= ({extend} (bvudiv x c)) (bvudiv (zext x) (zext c)))", "(bvsgt (signed c) one)")
        yield Rule("IndexArithmetic::buildQuotient", f"{extend}(bvurem), c > 0", narrow("x", "c"),
                   f"(= ({extend} (bvurem x c)) (bvurem (zext x) (zext c)))", positive)
    for left, right in (("bvudiv", "bvsdiv"), ("bvurem", "bvsrem")):
        yield Rule("IndexArithmetic::buildQuotient", f"{left} is {right}, x not negative", narrow("x", "c"),
                   f"(= ({left} x c) ({right} x c))", f"(and (bvsge (signed x) zero) {positive})")
    for sign, divide, rest, given in (("signed", "bvsdiv", "bvsrem", "(bvsge (signed x) zero)"),
                                      ("unsigned", "bvudiv", "bvurem", "true")):
        quotient = floor.replace("{sign}", sign)
        yield Rule("IntegerValues::computeDivision", f"x {divide} c = x floordiv c", narrow("x", "c"),
                   f"(= ({sign} ({divide} x c)) {quotient})", f"(and {positive} {given})")
        yield Rule("IntegerValues::computeDivision", f"x {rest} c = x - c (x floordiv c)", narrow("x", "c"),
                   f"(= ({sign} ({rest} x c)) (bvsub ({sign} x) (bvmul (signed c) {quotient})))",
                   f"(and {positive} {given})")
    for divide, result in (("bvsdiv", "y"), ("bvsrem", "x"), ("bvudiv", "y"), ("bvurem", "x")):
        yield Rule("splitId (SplitFlatIds.cpp)", f"{divide} of y*w + x by w, 0 <= x < w", narrow("x", "y", "c"),
                   f"(= ({divide} (bvadd (bvmul y c) x) c) {result})",
                   "(and (bvsle zero (signed x)) (bvslt (signed x) (signed c)) (bvsle zero (signed y)) "
                   "(fitsSigned (bvadd (bvmul (signed y) (signed c)) (signed x))))")


def shifts():
    """One by each number of bits that the smallest width has."""
    for amount in range(7):
        power, k = f"(bvshl one (lit {amount}))", f"((_ int2bv {{n}}) {amount})"
        yield Rule("IntegerValues::computeDivision", f"x shrsi {amount} = x floordiv 2^{amount}", narrow("x"),
                   f"(= (signed (bvashr x {k})) (floordiv (signed x) {power}))")
        yield Rule("IntegerValues::computeDivision", f"x shrui {amount} = x floordiv 2^{amount}", narrow("x"),
                   f"(= (unsigned (bvlshr x {k})) (floordiv (unsigned x) {power}))")
        yield Rule("IntegerValues::computeArithmetic", f"x shli {amount} = x 2^{amount} modulo 2^N", narrow("x"),
                   f"(= (bvshl x {k}) (trunc (bvmul (signed x) {power})))")
        mask = f"((_ int2bv {{n}}) {2**amount - 1})"
        yield Rule("IntegerValues::computeDivision", f"x & {2**amount - 1} = x - 2^{amount} (x floordiv 2^{amount})",
                   narrow("x"), f"(= (signed (bvand x {mask})) "
                   f"(bvsub (signed x) (bvmul {power} (floordiv (signed x) {power}))))")


def quotients():
    """Of integers, however large: nothing wraps here."""
    ints = lambda *names: {name: "Int" for name in names}
    positive = "(> y 0)"
    yield Rule("IntegerValues::floorDivide", "(c*z + x) floordiv c = z + x floordiv c", ints("x", "y", "z"),
               "(= (div (+ (* y z) x) y) (+ z (div x y)))", positive)
    yield Rule("IntegerValues::floorDivide", "x floordiv c = 0 for 0 <= x < c", ints("x", "y"),
               "(= (div x y) 0)", "(and (<= 0 x) (< x y))")
    yield Rule("IntegerValues::defineQuotient", "x ceildivsi y = -(-x floordiv y)", ints("x", "y"),
               "(let ((q (- (div (- x) y)))) (and (>= (* q y) x) (< (* (- q 1) y) x)))", positive)
    yield Rule("addQuotient (DominatingFacts.cpp)", "c q <= x < c (q + 1) for q = x floordiv c", ints("x", "y"),
               "(let ((q (div x y))) (and (<= (* y q) x) (< x (* y (+ q 1)))))", positive)
    for constant in (2, 3, 4, 7, 16, 100):
        ceildiv = f"(- (div (- x) {constant}))"
        yield Rule("IntegerValues::get(AffineExpr)", f"x ceildiv {constant} = (x + {constant - 1}) floordiv {constant}",
                   ints("x"), f"(= {ceildiv} (div (+ x {constant - 1}) {constant}))")
        yield Rule("addQuotient (DominatingFacts.cpp)", f"{constant} q >= {constant} z where x >= {constant} z",
                   ints("x", "z"), f"(>= (* {constant} (div x {constant})) (* {constant} z))",
                   f"(>= x (* {constant} z))")
        yield Rule("ExtentReader::addExtents", f"{constant} i < e is i < e ceildiv {constant}", ints("x", "z"),
                   f"(= (< (* {constant} z) x) (< z {ceildiv}))")
        yield Rule("ExtentReader::addExtents", f"{constant} i <= e is i < e floordiv {constant} + 1", ints("x", "z"),
                   f"(= (<= (* {constant} z) x) (< z (+ (div x {constant}) 1)))")


def readings():
    yield Rule("IntegerValues::wrap", "sext(trunc x) = x - 2^N ((x + half) floordiv 2^N)", whole("x"),
               "(= (signed (trunc x)) (bvsub x (bvmul turn (floordiv (bvadd x half) turn))))", "(isIndex x)")
    yield Rule("IntegerValues::wrap", "zext(trunc x) = x - 2^N (x floordiv 2^N)", whole("x"),
               "(= (unsigned (trunc x)) (bvsub x (bvmul turn (floordiv x turn))))", "(isIndex x)")
    yield Rule("IntegerValues::readOtherwise", "a negative number as unsigned", narrow("x"),
               "(= (unsigned x) (bvadd (signed x) turn))", "(fitsUnsigned (bvadd (signed x) turn))")
    yield Rule("IntegerValues::readOtherwise", "a large unsigned number as signed", narrow("x"),
               "(= (signed x) (bvsub (unsigned x) turn))", "(fitsSigned (bvsub (unsigned x) turn))")
    for order in ("lt", "le", "gt", "ge"):
        yield Rule("raiseComparison (RaiseIndexArithmetic.cpp)", f"u{order} of numbers that an index holds",
                   narrow("x", "y"), f"(= (bvu{order} x y) (bvs{order} (zext x) (zext y)))")
    yield Rule("raiseComparison (RaiseIndexArithmetic.cpp)", "eq in either reading", narrow("x", "y"),
               "(and (= (= x y) (= (sext x) (sext y))) (= (= x y) (= (zext x) (zext y))))")
    for least, low in (("smin", "smin"), ("smax", "smax")):
        yield Rule("IntegerValues::computeRangeOfChoice", f"range of {least}",
                   whole("x", "y", "a", "b", "c", "d"),
                   f"(and (bvsle ({low} a c) ({least} x y)) (bvsle ({least} x y) ({low} b d)))",
                   "(and (bvsle a x) (bvsle x b) (bvsle c y) (bvsle y d))")


def conditions():
    small = "(and (isIndex x) (isIndex y))"
    difference = "(bvsub x y)"
    indicators = {
        "bvslt": f"(negative {difference})",
        "bvsle": f"(negative (bvsub {difference} one))",
        "bvsgt": f"(negative (bvneg {difference}))",
        "bvsge": f"(negative (bvsub (bvneg {difference}) one))",
        "=": f"(bvsub (bvsub one (negative {difference})) (negative (bvneg {difference})))",
        "distinct": f"(bvadd (negative {difference}) (negative (bvneg {difference})))",
    }
    for predicate, indicator in indicators.items():
        yield Rule("IntegerValues::indicate", f"1 where {predicate} holds, else 0", whole("x", "y"),
                   f"(= (flag ({predicate} x y)) {indicator})", small)
    flags = {"p": "Bool", "q": "Bool"}
    least = "(smin (flag p) (flag q))"
    yield Rule("IntegerValues::indicate", "and", flags, f"(= (flag (and p q)) {least})")
    yield Rule("IntegerValues::indicate", "or", flags, "(= (flag (or p q)) (smax (flag p) (flag q)))")
    yield Rule("IntegerValues::indicate", "xor", flags,
               f"(= (flag (xor p q)) (bvsub (bvsub (bvadd (flag p) (flag q)) {least}) {least}))")
    yield Rule("IntegerValues::defineChoice", "other + (taken - other) [condition]",
               {"p": "Bool", **whole("x", "y")},
               "(= (ite p x y) (bvadd y (bvmul (bvsub x y) (flag p))))", small)
    margins = {
        "bvslt": "(bvsub (bvsub y x) one)", "bvsle": "(bvsub y x)",
        "bvsgt": "(bvsub (bvsub x y) one)", "bvsge": "(bvsub x y)",
    }
    for predicate, margin in margins.items():
        yield Rule("FactCollector::addComparison", f"margin of {predicate}", whole("x", "y"),
                   f"(= ({predicate} x y) (bvsge {margin} zero))", small)
    for sign in ("s", "u"):
        for holds, fails in (("lt", "ge"), ("le", "gt"), ("gt", "le"), ("ge", "lt")):
            yield Rule("negate (RaiseIndexArithmetic.cpp)", f"not {sign}{holds}", narrow("x", "y"),
                       f"(= (not (bv{sign}{holds} x y)) (bv{sign}{fails} x y))")
    yield Rule("IndexBuilder::buildQuotient", "never divides by zero, and by the divisor where it is positive",
               whole("x", "y"),
               "(let ((safe (smax y one))) (and (not (= safe zero)) (=> (bvsgt y zero) (= safe y))))")


def declare(rule, divisor):
    for name, sort in rule.variables.items():
        if name == "c" and divisor:
            yield f"(define-const c narrow ((_ int2bv {{n}}) {divisor}))"
        else:
            yield f"(declare-const {name} {sort})"


def prove(z3, rules, width):
    """The rules that do not hold, or that Z3 does not decide."""
    sizes = {"n": width, "i": 2 * width, "w": 4 * width, "n3": 3 * width, "n_last": width - 1,
             "turn": 2**width, "half": 2 ** (width - 1)}
    asked, text = [], FUNCTIONS
    for rule in rules:
        for divisor in rule.divisors or (None,):
            asked.append(rule)
            text += f"(push){''.join(declare(rule, divisor))}"
            text += f"(assert (not (=> {rule.given} {rule.claim})))(check-sat)(pop)\n"
    run = subprocess.run([z3, "-in", "-t:60000"], input=text.format(**sizes),
                         capture_output=True, text=True, check=False)
    verdicts = run.stdout.split("\n")
    verdicts += ["no answer"] * (len(asked) - len(verdicts))
    return [(rule, verdict) for rule, verdict in zip(asked, verdicts) if verdict != "unsat"]


def main():
    families = (sums, bits, divisions, shifts, quotients, readings, conditions)
    rules = [rule for family in families for rule in family()]
    failed = 0
    for rule, verdict in prove(sys.argv[1], rules, width=8):
        failed += 1
        print(f"{rule.function}: {rule.says}: {verdict}")
    print(f"{len(rules)} rules, {failed} not proven")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
