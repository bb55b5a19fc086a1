import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import jdk.javadoc.doclet.DocletEnvironment;
import jdk.javadoc.doclet.StandardDoclet;
import jdk.javadoc.internal.tool.DocEnvImpl;

/**
 * Writes Javadoc as the standard doclet does, without what is marked {@code @Internal}. The JDK has
 * no option for that, and its doclet takes no environment but its own, or a class below it.
 */
public final class PublicDoclet extends StandardDoclet {

  @Override
  public boolean run(DocletEnvironment environment) {
    return super.run(new PublicElements((DocEnvImpl) environment));
  }

  private static final class PublicElements extends DocEnvImpl {

    PublicElements(DocEnvImpl all) {
      super(all.toolEnv, all.etable);
    }

    @Override
    public Set<? extends Element> getIncludedElements() {
      return super.getIncludedElements().stream()
          .filter(PublicElements::isPublic)
          .collect(Collectors.toSet());
    }

    @Override
    public boolean isIncluded(Element element) {
      return isPublic(element) && super.isIncluded(element);
    }

    @Override
    public boolean isSelected(Element element) {
      return isPublic(element) && super.isSelected(element);
    }

    private static boolean isPublic(Element element) {
      Element enclosing = element.getEnclosingElement();
      return (enclosing == null || isPublic(enclosing))
          && element.getAnnotationMirrors().stream()
              .noneMatch(
                  annotation ->
                      annotation
                          .getAnnotationType()
                          .toString()
                          .equals("dev.gyre.atomics.Internal"));
    }
  }
}
