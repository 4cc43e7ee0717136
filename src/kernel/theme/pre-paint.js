// In <head>, so that no body is ever painted without its look: <script src="…" data-prefix="…" data-theme="…">. The rest is browser-theme.ts.
(() => {
  // React tells of what it draws to whoever stands here before it does: runaway-renders.ts.
  const noop = () => {};
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ ??= { supportsFiber: true, renderers: new Map(), inject: () => 1, onCommitFiberRoot: noop, onCommitFiberUnmount: noop };
  const { documentElement, currentScript } = document;
  const { prefix = 'marquee-', theme = 'theme-default' } = currentScript.dataset;
  const read = (name) => {
    try {
      return JSON.parse(localStorage.getItem(prefix + name));
    } catch {
      // Storage is forbidden or its entry no JSON: the console begins as the deployment has it.
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
