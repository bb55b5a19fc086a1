/** Parts that all structures share: saved files, exceptions, and how device threads wait. */
@NullMarked
package dev.gyre.structures;

import org.jspecify.annotations.NullMarked;
