package dev.gyre.structures;

import dev.gyre.atomics.MemoryLeft;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves off-heap memory behind; of all classes of this module, since it is
 * registered with JUnit.
 */
public final class MemoryGivenBack implements BeforeAllCallback, AfterAllCallback {

  /** On a class whose tests end operations in such a way that what they borrowed may be lost. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  public @interface Excused {
    /** Why that cannot be helped. */
    String because();
  }

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(MemoryGivenBack.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    if (TargetUnderTest.isDevice()) {
      // It is kept for all classes, with what it has of memory.
      var _ = TargetUnderTest.device();
    }
    context.getStore(NAMESPACE).put(context.getUniqueId(), MemoryLeft.bytes());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    long before =
        Objects.requireNonNull(
            context.getStore(NAMESPACE).remove(context.getUniqueId(), Long.class));
    long left = MemoryLeft.bytes();
    if (left != before && !context.getRequiredTestClass().isAnnotationPresent(Excused.class)) {
      throw new AssertionError(
          "%s left %d bytes of off-heap memory behind"
              .formatted(context.getDisplayName(), before - left));
    }
  }
}
