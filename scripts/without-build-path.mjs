/**
 * Of the bundler: a module that asks where it lies is told where the page or the worker lies that runs it. A bundle would else tell everybody in which folder
 * it was made.
 */
export default function withoutBuildPath(source) {
  return source.replaceAll('import.meta.url', 'self.location.href');
}
