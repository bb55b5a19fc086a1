import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks or applies google-java-format, imports included, to every Java file under the given roots:
 * {@code FormatSources.java (check|apply) root...}. The build runs it with the source launcher; see
 * the root pom.
 */
final class FormatSources {

  private enum Outcome {
    FORMATTED,
    UNFORMATTED,
    BROKEN
  }

  private record Result(Path file, Outcome outcome, String message) {}

  private FormatSources() {}

  public static void main(String[] args) throws IOException {
    boolean apply = args[0].equals("apply");
    if (!apply && !args[0].equals("check")) {
      throw new IllegalArgumentException("mode: " + args[0]);
    }
    List<Path> files = new ArrayList<>();
    for (String root : List.of(args).subList(1, args.length)) {
      files.addAll(javaFiles(Path.of(root)));
    }
    List<Result> wrong =
        files.parallelStream()
            .map(file -> format(file, apply))
            .filter(result -> result.outcome() != Outcome.FORMATTED)
            .toList();
    boolean failed = false;
    for (Result result : wrong) {
      System.err.println(result.file() + ": " + result.message());
      failed |= result.outcome() == Outcome.BROKEN || !apply;
    }
    if (failed) {
      System.exit(1);
    }
    System.out.println(files.size() + " Java files are formatted");
  }

  private static Result format(Path file, boolean apply) {
    try {
      String before = Files.readString(file);
      String after = new Formatter().formatSourceAndFixImports(before);
      if (before.equals(after)) {
        return new Result(file, Outcome.FORMATTED, "");
      }
      if (apply) {
        Files.writeString(file, after);
      }
      return new Result(file, Outcome.UNFORMATTED, apply ? "formatted" : "not formatted");
    } catch (FormatterException | IOException e) {
      return new Result(file, Outcome.BROKEN, e.getMessage());
    }
  }

  /** The files below {@code root}, without build output and hidden folders. */
  private static List<Path> javaFiles(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean skip = !folder.equals(root) && (name.equals("target") || name.startsWith("."));
            return skip ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
