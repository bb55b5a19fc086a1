/** Single keys, by the thread that calls, and walks over the entries, part by part. */
@NullMarked
package dev.gyre.structures.map.access;

import org.jspecify.annotations.NullMarked;
