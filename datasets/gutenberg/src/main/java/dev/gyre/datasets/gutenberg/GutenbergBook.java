package dev.gyre.datasets.gutenberg;

import java.net.URI;
import java.util.Optional;

/**
 * Plain-text book of Project Gutenberg.
 *
 * @param id its number there
 * @param title its title
 * @param author its author
 * @param language two letters of ISO 639-1, such as "en"
 * @param url address of its text
 * @param sha256 checksum of the known edition, 64 lower-case hexadecimal digits, or empty. Books
 *     are corrected now and then, so that the server may have a later edition.
 * @since 0.1.0
 */
public record GutenbergBook(
    int id, String title, String author, String language, URI url, Optional<String> sha256) {

  public GutenbergBook {
    if (id < 1) {
      throw new IllegalArgumentException("the id of a book must be at least 1: " + id);
    }
    if (sha256.isPresent() && !sha256.get().matches("[0-9a-f]{64}")) {
      throw new IllegalArgumentException("no SHA-256: " + sha256.get());
    }
  }

  @Override
  public String toString() {
    return "book " + id + " (" + title + ")";
  }
}
