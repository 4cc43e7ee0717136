import { fileURLToPath } from 'node:url';
import { pluginsOfTree } from '../plugin-sources.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const page = (text: string, link: string) => ({ text, link });

/** A copy of the documentation with the pages of plugins, made by `scripts/docs.mjs`. */
const sourceFolder = here('../../node_modules/.cache/marquee/site');
const plugins = pluginsOfTree();

/** Configures the documentation site of `npm run docs`, whose search needs no network. */
export default {
  root: sourceFolder,
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
            page('Scale', '/scale'),
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
            page('Rules for plugins', '/plugin-rules'),
            page('Cookbook', '/cookbook'),
            page('Upgrading a plugin', '/upgrading-a-plugin'),
            page('Reference', '/reference'),
            page('Wire format', '/wire-format'),
            page('Glossary', '/glossary'),
          ],
        },
        { text: 'API', items: ['kernel', 'server', 'shared', 'kit'].map((name) => page(`#${name}`, `/api/${name}`)) },
        { text: 'Contracts of plugins', collapsible: true, collapsed: true, items: plugins.map((id) => page(id, `/api/plugins/${id}`)) },
        { text: 'Why', items: [page('Decisions', '/decisions/README'), page('Dependencies', '/dependencies')] },
      ],
    },
  },
};
