package dev.gyre.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Holds the arrows between the modules, which point one way only. */
@AnalyzeClasses(packages = "dev.gyre", importOptions = DoNotIncludeTests.class)
final class ModuleArrowsTest {

  @ArchTest
  static final ArchRule MODULES_USE_ONLY_WHAT_IS_BELOW_THEM =
      layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("dev.gyre..")
          .layer("atomics")
          .definedBy("dev.gyre.atomics..")
          .layer("datasets")
          .definedBy("dev.gyre.datasets")
          .layer("gutenberg")
          .definedBy("dev.gyre.datasets.gutenberg..", "dev.gyre.datasets.csv..")
          .layer("kernels")
          .definedBy("dev.gyre.kernels..")
          .layer("progress")
          .definedBy("dev.gyre.progress..")
          .layer("structures")
          .definedBy("dev.gyre.structures..")
          .layer("bench")
          .definedBy("dev.gyre.bench..")
          .whereLayer("atomics")
          .mayNotAccessAnyLayer()
          .whereLayer("datasets")
          .mayOnlyAccessLayers("atomics")
          .whereLayer("gutenberg")
          .mayOnlyAccessLayers("atomics", "datasets")
          .whereLayer("kernels")
          .mayOnlyAccessLayers("atomics")
          .whereLayer("progress")
          .mayOnlyAccessLayers("atomics", "kernels")
          .whereLayer("structures")
          .mayOnlyAccessLayers("atomics", "datasets", "kernels", "progress")
          .ensureAllClassesAreContainedInArchitecture();

  /** Users of the structures are brought neither. */
  @ArchTest
  static final ArchRule COMMONS_CSV_IS_FOR_FILES_AND_THE_COMMAND_LINE =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.gyre.datasets.csv..", "dev.gyre.datasets.gutenberg..", "dev.gyre.bench..")
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
}
