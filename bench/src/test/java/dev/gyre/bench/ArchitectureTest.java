package dev.gyre.bench;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.gyre.atomics.Internal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks which modules and packages use which others: a module uses modules below it only. So does
 * a package below {@code dev.gyre.structures.map}, and no code outside of maps uses such packages.
 */
@AnalyzeClasses(packages = "dev.gyre", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

  @ArchTest
  static final ArchRule MODULES_USE_ONLY_WHAT_IS_BELOW_THEM =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("dev.gyre..")
          .layer("atomics")
          .definedBy("dev.gyre.atomics..")
          .layer("generators")
          .definedBy("dev.gyre.datasets.generators")
          .layer("datasets")
          .definedBy("dev.gyre.datasets")
          .layer("gutenberg")
          .definedBy("dev.gyre.datasets.gutenberg..")
          .layer("kernels")
          .definedBy("dev.gyre.kernels..")
          .layer("progress")
          .definedBy("dev.gyre.progress", "dev.gyre.progress.probe")
          .layer("litmus")
          .definedBy("dev.gyre.progress.litmus")
          .layer("structures")
          .definedBy("dev.gyre.structures..")
          .layer("bench")
          .definedBy("dev.gyre.bench..")
          .whereLayer("atomics")
          .mayNotAccessAnyLayer()
          .whereLayer("generators")
          .mayNotAccessAnyLayer()
          .whereLayer("datasets")
          .mayOnlyAccessLayers("atomics")
          .whereLayer("gutenberg")
          .mayOnlyAccessLayers("atomics", "datasets")
          .whereLayer("kernels")
          .mayOnlyAccessLayers("atomics")
          .whereLayer("progress")
          .mayOnlyAccessLayers("atomics", "kernels")
          .whereLayer("litmus")
          .mayOnlyAccessLayers("atomics", "kernels")
          .whereLayer("structures")
          .mayOnlyAccessLayers("atomics", "datasets", "kernels", "progress")
          .ensureAllClassesAreContainedInArchitecture();

  /** Users of the structures are brought neither. */
  @ArchTest
  static final ArchRule COMMONS_CSV_IS_FOR_FILES_AND_THE_COMMAND_LINE =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.gyre.datasets.gutenberg..", "dev.gyre.bench..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.commons.csv..");

  @ArchTest
  static final ArchRule THE_CORE_NAMES_NO_CLASS_OF_TORNADOVM =
      noClasses()
          .that()
          .resideOutsideOfPackage("..tornadovm..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("uk.ac.manchester..", "jdk.graal..", "jdk.vm.ci..");

  /** What is on Spark is in modules of its own, so that nobody else gets its jars. */
  @ArchTest
  static final ArchRule THE_CORE_NAMES_NO_CLASS_OF_SPARK =
      noClasses()
          .that()
          .resideOutsideOfPackage("..spark..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.spark..", "scala..", "dev.gyre..spark..");

  @ArchTest
  static final ArchRule THE_TABLE_OF_OPERATIONS_STANDS_ALONE =
      noClasses()
          .that()
          .resideInAPackage("dev.gyre.atomics.table")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.gyre.atomics");

  private static final String MAPS = "dev.gyre.structures.map";

  /** Types that users hold. They are above all packages; other types of theirs are below. */
  private static final Set<String> HELD =
      Set.of(
          "HashTable",
          "IntIntMap",
          "IntLongMap",
          "IntSet",
          "LongIntMap",
          "LongLongMap",
          "LongSet",
          "MapBuilder",
          "RecordMap",
          "TextBulk",
          "TextCombiner",
          "TextLongMap",
          "TextSet",
          "WordTally");

  private static final int MOST_FILES = 26;

  /** Largest number of lines of a file that are neither blank nor a comment. */
  private static final int MOST_LINES = 350;

  private static final Pattern SOURCE = Pattern.compile(".*/src/(main|generator)/.*\\.java");
  private static final Pattern NO_CODE = Pattern.compile("\\s*($|//|/\\*|\\*)");

  private static final DescribedPredicate<JavaClass> HOLDERS =
      describe(
          "what users hold",
          c -> c.getPackageName().equals(MAPS) && HELD.contains(outermost(c).getSimpleName()));

  private static JavaClass outermost(JavaClass of) {
    return of.getEnclosingClass().map(ArchitectureTest::outermost).orElse(of);
  }

  @ArchTest
  static final ArchRule PACKAGES_OF_MAPS_USE_ONLY_PACKAGES_BELOW_THEM =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage(MAPS + "..")
          .layer("held")
          .definedBy(HOLDERS)
          .layer("said")
          .definedBy(resideInAPackage(MAPS).and(not(HOLDERS)))
          .layer("sharded")
          .definedBy(MAPS + ".sharded")
          .layer("view")
          .definedBy(MAPS + ".view")
          .layer("words")
          .definedBy(MAPS + ".words")
          .layer("access")
          .definedBy(MAPS + ".access")
          .layer("store")
          .definedBy(MAPS + ".store")
          .layer("partition")
          .definedBy(MAPS + ".partition")
          .layer("table")
          .definedBy(MAPS + ".table")
          .layer("file")
          .definedBy(MAPS + ".file")
          .layer("work")
          .definedBy(MAPS + ".work")
          .whereLayer("sharded")
          .mayOnlyAccessLayers("held", "work", "said")
          .whereLayer("view")
          .mayOnlyAccessLayers("access", "store", "table", "work", "file", "said")
          .whereLayer("words")
          .mayOnlyAccessLayers("access", "store", "table", "work", "file", "said")
          .whereLayer("access")
          .mayOnlyAccessLayers("store", "table", "work", "file", "said")
          .whereLayer("store")
          .mayOnlyAccessLayers("partition", "table", "work", "file", "said")
          .whereLayer("partition")
          .mayOnlyAccessLayers("work", "said")
          .whereLayer("table")
          .mayOnlyAccessLayers("work", "file", "said")
          .whereLayer("file")
          .mayOnlyAccessLayers("said")
          .whereLayer("work")
          .mayOnlyAccessLayers("said")
          .whereLayer("said")
          .mayNotAccessAnyLayer()
          .ensureAllClassesAreContainedInArchitectureIgnoring(resideOutsideOfPackage(MAPS + ".."));

  @ArchTest
  static final ArchRule NO_OTHER_CODE_USES_PACKAGES_OF_MAPS =
      noClasses()
          .that()
          .resideOutsideOfPackage(MAPS + "..")
          .should()
          .dependOnClassesThat(
              resideInAPackage(MAPS + ".*..").and(resideOutsideOfPackage(MAPS + ".sharded")));

  /** Such methods are public since other packages of the library call them. */
  @ArchTest
  static final ArchRule WHAT_IS_INTERNAL_IS_CALLED_BY_THE_LIBRARY_ONLY =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.gyre.structures..", "dev.gyre.kernels..")
          .should()
          .callCodeUnitWhere(describe("its target is @Internal", ArchitectureTest::isInternal));

  private static boolean isInternal(JavaCodeUnitAccess<?> call) {
    return call.getTarget().isAnnotatedWith(Internal.class);
  }

  @Test
  void packagesAreSmall() throws IOException {
    Path sources = Path.of("../structures/src/main/java/dev/gyre/structures");
    try (Stream<Path> files = Files.walk(sources)) {
      Map<Path, Long> filesInFolders =
          files
              .filter(Files::isRegularFile)
              .filter(file -> !file.endsWith("package-info.java"))
              .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
      assertThat(filesInFolders)
          .containsKey(sources.resolve("map"))
          .allSatisfy((_, count) -> assertThat(count).isLessThanOrEqualTo(MOST_FILES));
    }
  }

  @Test
  void filesAreShort() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      assertThat(
              files
                  .filter(file -> SOURCE.matcher(file.toString()).matches())
                  .filter(file -> !file.toString().contains("target")))
          .hasSizeGreaterThan(600)
          .allSatisfy(file -> assertThat(linesOfCode(file)).isLessThanOrEqualTo(MOST_LINES));
    }
  }

  private static long linesOfCode(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.filter(line -> !NO_CODE.matcher(line).lookingAt()).count();
    }
  }
}
