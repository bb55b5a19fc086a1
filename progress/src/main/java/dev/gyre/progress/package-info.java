/**
 * Forward progress: what operations need of a scheduler, what targets give, and how it was found
 * out.
 *
 * <p>The classes are those of Herlihy and Shavit, "On the Nature of Progress"; the guarantees those
 * of C++ [intro.progress].
 */
@NullMarked
package dev.gyre.progress;

import org.jspecify.annotations.NullMarked;
