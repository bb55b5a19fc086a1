/** What barriers and semaphores cost beside those of the JDK. */
@NullMarked
package dev.gyre.bench.sync;

import org.jspecify.annotations.NullMarked;
