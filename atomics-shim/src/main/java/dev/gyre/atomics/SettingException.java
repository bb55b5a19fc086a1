package dev.gyre.atomics;

import java.io.Serial;

/**
 * Thrown if a system property has an invalid value; the message says which values are valid.
 *
 * @since 0.1.0
 */
public final class SettingException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  /**
   * Creates the exception.
   *
   * @param property name of the property
   * @param value its value
   * @param wanted description of valid values
   */
  public SettingException(String property, String value, String wanted) {
    super("-D%s=%s is not understood: %s".formatted(property, value, wanted));
  }
}
