// Runs as the first element of <body>, before anything is painted: <script src="/pre-paint.js" data-prefix="…">. The rest is browser-theme.ts.
(function () {
  try {
    var stored = localStorage.getItem((document.currentScript.dataset.prefix || 'marquee-') + 'appearance');
    var dark = stored === '"dark"' || (stored === '"system"' && matchMedia('(prefers-color-scheme: dark)').matches);
    if (dark) document.body.setAttribute('arco-theme', 'dark');
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  } catch (_) {
    // Storage is forbidden: the console begins in light.
  }
})();
