import { afterEach, beforeAll, expect, rs, test } from '@rstest/core';

interface Rules {
  createHTML(text: string): string;
  createScriptURL(text: string): string;
}

const made: string[] = [];
const passed: string[] = [];
Object.assign(globalThis, {
  trustedTypes: {
    createPolicy(name: string, rules: Rules): Rules {
      made.push(name);
      const through = (kind: keyof Rules) => (text: string) => {
        passed.push(`${kind} ${text}`);
        return rules[kind](text);
      };
      return { createHTML: through('createHTML'), createScriptURL: through('createScriptURL') };
    },
  },
});
// The module creates its policy when it is loaded, which another file of this process may have caused already.
beforeAll(() => void rs.resetModules());
afterEach(() => {
  passed.length = 0;
});

test('markup and script addresses pass one policy, which is created once', async () => {
  const { parseMarkup, createScript } = await import('../../../../src/kernel/platform/browser/trusted-types.ts');
  expect(parseMarkup('<p>one</p>').textContent).toBe('one');
  const { src, integrity, crossOrigin, async: isAsync } = createScript('https://plugins.acme.test/a.js', 'sha384-x');
  expect({ src, integrity, crossOrigin, isAsync }).toEqual({
    src: 'https://plugins.acme.test/a.js',
    integrity: 'sha384-x',
    crossOrigin: 'anonymous',
    isAsync: true,
  });
  expect(passed).toEqual(['createHTML <body><p>one</p></body>', 'createScriptURL https://plugins.acme.test/a.js']);
  expect(made).toEqual(['marquee']);
});

test('formatted text becomes content of the editor: supported elements only, and no scripts', async () => {
  const { richTextContent } = await import('../../../../src/kernel/crud/cells/rich-text-extensions.ts');
  const content = richTextContent(
    '<h2>One</h2>\n<p>two <strong>three</strong><script>run()</script></p><ul>\n  <li><p>four</p></li>\n</ul><img src="/a.png" onerror="run()" alt="five">',
  );
  expect(content).toMatchObject({
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'One' }] },
      { type: 'paragraph', content: [{ text: 'two ' }, { text: 'three', marks: [{ type: 'bold' }] }] },
      { type: 'bulletList', content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [{ text: 'four' }] }] }] },
      { type: 'image', attrs: { src: '/a.png', alt: 'five' } },
    ],
  });
  expect(JSON.stringify(content)).not.toContain('run()');
  expect(richTextContent('')).toMatchObject({ type: 'doc', content: [{ type: 'paragraph' }] });
  expect(passed).toHaveLength(2);
});
