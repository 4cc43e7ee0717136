// Runs in <head> before the body is painted, so that its appearance is set at once: <script src="…" data-prefix="…" data-theme="…">. The rest is in browser-theme.ts.
(() => {
  // React reports its commits to a hook that exists before it starts; runaway-renders.ts uses it.
  const noop = () => {};
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ ??= { supportsFiber: true, renderers: new Map(), inject: () => 1, onCommitFiberRoot: noop, onCommitFiberUnmount: noop };
  const { documentElement, currentScript } = document;
  const { prefix = 'marquee-', theme = 'theme-default' } = currentScript.dataset;
  const read = (name) => {
    try {
      return JSON.parse(localStorage.getItem(prefix + name));
    } catch {
      // Storage is forbidden or its entry is not JSON, so the deployment's defaults apply.
    }
  };
  const appearance = read('appearance');
  const stored = read('look');
  const look = stored?.version === 1 ? stored.look : {};
  const isDark = appearance === 'dark' || (appearance === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  if (look.isGrey) documentElement.dataset.grey = '';
  documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  const dress = (body) => {
    if (isDark) body.setAttribute('arco-theme', 'dark');
    body.dataset.theme = look.theme ?? theme;
    body.dataset.density = look.density ?? 'default';
    body.dataset.text = look.text ?? 'default';
    if (look.radius) body.dataset.radius = look.radius;
    if (look.isWeak) body.dataset.vision = 'weak';
    for (const [name, value] of Object.entries(look.palette?.[isDark ? 'dark' : 'light'] ?? {})) body.style.setProperty(name, value);
  };
  if (document.body) dress(document.body);
  else
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      observer.disconnect();
      dress(document.body);
    }).observe(documentElement, { childList: true });
})();
