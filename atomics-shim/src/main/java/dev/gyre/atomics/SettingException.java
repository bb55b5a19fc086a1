package dev.gyre.atomics;

import java.io.Serial;

/** A system property has a value that is not understood; the message says which would be. */
public final class SettingException extends GyreException {
  @Serial private static final long serialVersionUID = 1L;

  public SettingException(String property, String value, String wanted) {
    super("-D%s=%s is not understood: %s".formatted(property, value, wanted));
  }
}
