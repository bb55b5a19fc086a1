/**
 * Forward progress: what operations need, what devices guarantee, and how Gyre finds out.
 *
 * <p>Progress classes follow Herlihy and Shavit, "On the Nature of Progress". Guarantees follow C++
 * [intro.progress].
 */
@NullMarked
package dev.gyre.progress;

import org.jspecify.annotations.NullMarked;
