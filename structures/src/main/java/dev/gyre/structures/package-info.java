/** What is common to the structures that users hold. */
@NullMarked
package dev.gyre.structures;

import org.jspecify.annotations.NullMarked;
