import { describe, expect, test } from '@rstest/core';
import { act, cleanup, render } from '@testing-library/react';
import dayjs from 'dayjs';
import { ServicesProvider } from '../../../../src/kernel/base/react/services.tsx';
import { KernelTexts } from '../../../../src/kernel/platform/i18n/kernel-texts.ts';
import { Locale } from '../../../../src/kernel/platform/i18n/locale.ts';
import { baseTexts, consoleTexts, type TextKey, type TextPart } from '../../../../src/kernel/platform/i18n/texts.ts';
import { useTranslation } from '../../../../src/kernel/platform/i18n/use-translation.ts';
import { testCoreServices, testKernel } from '../../../support/test-kernel.ts';

type Tree = { readonly [name: string]: string | Tree };
const leaves = (tree: Tree, above = ''): [string, string][] =>
  Object.entries(tree).flatMap(([name, value]) =>
    typeof value === 'string' ? [[above + name, value] as [string, string]] : leaves(value, `${above}${name}.`),
  );
const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const settled = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 20)));
const zh = { ...(await baseTexts.zh()), ...(await consoleTexts.zh()) } as Tree;
const en = { ...(await baseTexts.en()), ...(await consoleTexts.en()) } as Tree;
const [key, chinese] = leaves(zh)[0] as [TextKey, string];

const Screen = () => {
  const t = useTranslation();
  return <p>{`${t(['你好 {name}', 'Hello {name}'], { name: 'M' })}|${t(key)}`}</p>;
};

describe('locale', () => {
  test('starts with the deployment’s language, follows a choice live on screen and in the document, and stores it', async () => {
    const { core } = await testCoreServices();
    const { container: screen } = render(
      <ServicesProvider services={core}>
        <Screen />
      </ServicesProvider>,
    );
    expect(screen.textContent).toBe(`你好 M|${chinese}`);
    expect(document.documentElement.lang).toBe('zh-CN');
    act(() => core.get(Locale).setLanguage('en'));
    await settled();
    expect(screen.textContent).toBe(`Hello M|${new Map(leaves(en)).get(key)}`);
    expect(document.documentElement.lang).toBe('en');
    cleanup();
    expect((await testCoreServices()).core.get(Locale).language).toBe('en');
  });

  test('only used languages are loaded', async () => {
    const { core } = await testCoreServices();
    const { i18n } = core.get(KernelTexts);
    expect([i18n.hasResourceBundle('zh', 'translation'), i18n.hasResourceBundle('en', 'translation')]).toEqual([true, false]);
    core.get(Locale).setLanguage('en');
    await settled();
    expect(i18n.hasResourceBundle('en', 'translation')).toBe(true);
  });

  test('a part that is added while another language loads is loaded in it too', async () => {
    const { core } = await testCoreServices();
    const texts = core.get(KernelTexts);
    const part: TextPart = {
      zh: async () => ({ passwords: { ...(await consoleTexts.zh()).passwords, asPassword: '一次性密码' } }) as never,
      en: async () => ({ passwords: { ...(await consoleTexts.en()).passwords, asPassword: 'One-time passwords' } }) as never,
    };
    core.get(Locale).setLanguage('en');
    await texts.add(part);
    await settled();
    expect(texts.has(part)).toBe(true);
    expect(texts.text('passwords.asPassword')).toBe('One-time passwords');
  });

  test('the last of two quick choices wins', async () => {
    const { core } = await testCoreServices();
    core.get(Locale).setLanguage('en');
    core.get(Locale).setLanguage('zh');
    await settled();
    expect(core.get(Locale).language).toBe('zh');
    expect(core.get(KernelTexts).text(key)).toBe(chinese);
  });

  test('an unknown stored language falls back to the deployment’s', async () => {
    localStorage.setItem('test-language', '"fr"');
    expect((await testCoreServices()).core.get(Locale).language).toBe('zh');
  });

  test('dates use the language of the console', async () => {
    const { get } = await testKernel({ manifest: { language: 'en' } });
    await settled();
    expect(dayjs('2024-05-01').format('MMMM')).toBe('May');
    get(Locale).setLanguage('zh');
    await settled();
    expect(dayjs('2024-05-01').format('MMMM')).toBe('五月');
  });

  test('both languages have the same placeholders in every text', () => {
    const english = new Map(leaves(en));
    expect(leaves(zh).filter(([name, text]) => places(text).join() !== places(english.get(name) ?? '').join())).toEqual([]);
  });
});
