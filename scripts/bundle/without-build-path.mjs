/** Loader that replaces a module's own URL with that of the page or worker that runs it. The bundle would otherwise reveal the folder of the build. */
export default function withoutBuildPath(source) {
  return source.replaceAll('import.meta.url', 'self.location.href');
}
