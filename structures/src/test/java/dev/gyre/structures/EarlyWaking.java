package dev.gyre.structures;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has several workers come together though tests have few keys, whatever runs them; for all classes
 * of this module, since it is registered with JUnit. {@code -Dgyre.waking} sets another time.
 */
public final class EarlyWaking implements BeforeAllCallback {

  private static final String PROPERTY = "gyre.waking";

  @Override
  public void beforeAll(ExtensionContext context) {
    if (System.getProperty(PROPERTY) == null) {
      System.setProperty(PROPERTY, "10us");
    }
  }
}
