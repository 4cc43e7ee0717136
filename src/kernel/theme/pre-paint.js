// The first element of <body>, so that it runs before anything is painted: <script src="…" data-prefix="…">. The rest is browser-theme.ts.
(() => {
  try {
    const stored = localStorage.getItem(`${document.currentScript.dataset.prefix || 'marquee-'}appearance`);
    const dark = stored === '"dark"' || (stored === '"system"' && matchMedia('(prefers-color-scheme: dark)').matches);
    if (dark) document.body.setAttribute('arco-theme', 'dark');
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  } catch {
    // Storage is forbidden: the console begins in light.
  }
})();
