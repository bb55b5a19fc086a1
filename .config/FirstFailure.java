import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes until one test fails, whose name it prints, and ends with 1: for Mutants. */
final class FirstFailure implements TestExecutionListener {

  private int passed;

  public static void main(String[] tests) {
    FirstFailure listener = new FirstFailure();
    for (String test : tests) {
      listener.run(test);
    }
    listener.end();
  }

  void run(String test) {
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(test))
                .filters(TagFilter.excludeTags("device"))
                .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
                .build(),
            this);
  }

  void end() {
    System.out.println("passed " + passed);
    Runtime.getRuntime().halt(passed == 0 ? 2 : 0);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == TestExecutionResult.Status.FAILED) {
      String name =
          test.getUniqueId()
              .replaceAll(".*\\[class(-template)?:[a-zA-Z.]*\\.", "")
              .replaceAll("\\]/\\[[a-z-]*:", ".");
      System.out.println("FAILED " + name.replaceAll("[(\\]].*", ""));
      result.getThrowable().ifPresent(Throwable::printStackTrace);
      Runtime.getRuntime().halt(1);
    }
    passed += test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL ? 1 : 0;
  }
}
