package dev.gyre.structures;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that hold on every target, and run on that of {@code -Dgyre.target}: in this module on the
 * JVM, in structures/tornadovm on devices.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("conformance")
@ExtendWith(TargetUnderTest.class)
public @interface ConformanceSuite {}
