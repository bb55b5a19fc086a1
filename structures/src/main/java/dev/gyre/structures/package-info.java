/**
 * Parts that all structures share: saved files, exceptions, and how device threads wait.
 *
 * <p>The structures are in packages of their own: maps and sets in {@code dev.gyre.structures.map},
 * the word trie in {@code dev.gyre.structures.trie}, and latch, barrier and semaphore in {@code
 * dev.gyre.structures.sync}.
 */
@NullMarked
package dev.gyre.structures;

import org.jspecify.annotations.NullMarked;
