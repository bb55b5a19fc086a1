package dev.gyre.kernels.map;

/**
 * Combines the present value of a key with a new one: a user's record, which is compiled into the
 * operation on every target.
 *
 * <pre>{@code
 * record Saturating(long most) implements Fold {
 *   public long apply(long present, long given) {
 *     long sum = present + given;
 *     return sum > most ? most : sum;
 *   }
 * }
 * }</pre>
 *
 * <p>It is a device function. Its result depends only on its arguments and on the components of the
 * record, and it changes nothing. It may be called several times for one value: a
 * compare-and-exchange writes the result, and is repeated if another thread changed the value.
 * Values of equal keys arrive in any order. The result is therefore reproducible only if {@code
 * f(f(v, a), b) == f(f(v, b), a)}.
 *
 * <p>If many threads update one key, all but one repeat each time. This is very slow on a device
 * with many threads: combine the values of a key beforehand, or use a built-in operation such as
 * ADD.
 *
 * <p>In maps of ints, both values are ints and the lower 32 bits of the result are stored.
 *
 * @since 0.1.0
 */
public interface Fold {
  long apply(long present, long given);
}
