import { fileURLToPath } from 'node:url';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const page = (text: string, link: string) => ({ text, link });

/** Configures the documentation site of `npm run docs`, whose search needs no network. */
export default {
  root: here('../../docs'),
  outDir: here('../../dist/docs'),
  title: 'Marquee',
  description: 'A back-office and plugin-based admin kernel.',
  lang: 'en',
  icon: new URL('../../public/icon.svg', import.meta.url),
  markdown: { link: { checkDeadLinks: true } },
  search: { mode: 'local', codeBlocks: true },
  themeConfig: {
    nav: [page('Plugins', '/writing-a-plugin'), page('Reference', '/reference'), page('Operating', '/operating')],
    sidebar: {
      '/': [
        {
          text: 'Using it',
          items: [
            page('Working in the console', '/console'),
            page('Operating', '/operating'),
            page('Payees', '/payees'),
            page('Security', '/security'),
            page('Benchmarks', '/benchmarks'),
            page('Soak', '/soak'),
          ],
        },
        {
          text: 'Plugins',
          items: [
            page('Write a plugin in an afternoon', '/writing-a-plugin'),
            page('Cookbook', '/cookbook'),
            page('Upgrading a plugin', '/upgrading-a-plugin'),
            page('Reference', '/reference'),
            page('Wire format', '/wire-format'),
            page('Glossary', '/glossary'),
          ],
        },
        { text: 'API', items: [page('#kernel', '/api/kernel'), page('#server', '/api/server'), page('#shared', '/api/shared')] },
        { text: 'Why', items: [page('Decisions', '/decisions/README'), page('Dependencies', '/dependencies')] },
      ],
    },
  },
};
