/** Views of maps as maps of the Java library. */
@NullMarked
package dev.gyre.structures.map.view;

import org.jspecify.annotations.NullMarked;
