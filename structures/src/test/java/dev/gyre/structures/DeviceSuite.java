package dev.gyre.structures;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of structures on a device and the JVM together; they run in structures/tornadovm only. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("device")
@ExtendWith(TargetUnderTest.class)
public @interface DeviceSuite {}
