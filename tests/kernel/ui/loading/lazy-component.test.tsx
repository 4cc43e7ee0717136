import { describe, expect, test } from '@rstest/core';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Component, type ReactNode, Suspense } from 'react';
import type { ServiceClass } from '../../../../src/kernel/base/container/services.ts';
import { ServicesProvider } from '../../../../src/kernel/base/react/services.tsx';
import { JsonStorage } from '../../../../src/kernel/platform/browser/storage.ts';
import { I18nextLocale } from '../../../../src/kernel/platform/i18n/i18next-locale.ts';
import { KernelTexts } from '../../../../src/kernel/platform/i18n/kernel-texts.ts';
import { Locale } from '../../../../src/kernel/platform/i18n/locale.ts';
import { lazyComponent } from '../../../../src/kernel/ui/loading/lazy-component.tsx';
import { expectConsoleError } from '../../../support/console-errors.ts';

const missing = () => Object.assign(new Error('Loading chunk 7 failed.'), { name: 'ChunkLoadError' });

/** Returns a loader that fails the first `failures` times. */
function arriving<Props>(failures: number, component: (props: Props) => ReactNode, error: () => Error = missing) {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries <= failures) throw error();
    return { default: component };
  };
}

class Page extends Component<{ readonly children: ReactNode }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError = (error: Error) => ({ error });
  override render() {
    return this.state.error ? <p>the page fell: {this.state.error.message}</p> : this.props.children;
  }
}

async function show(shown: ReactNode) {
  const texts = new KernelTexts();
  await texts.start('zh');
  const services = new Map<ServiceClass, unknown>([
    [KernelTexts, texts],
    [Locale, new I18nextLocale(texts, new JsonStorage(localStorage, 'test-'), 'zh')],
  ]);
  const around = (children: ReactNode) => (
    <ServicesProvider services={{ get: <Service,>(identifier: ServiceClass<Service>) => services.get(identifier) as Service }}>
      <Page>
        <input aria-label="draft" />
        <Suspense>{children}</Suspense>
      </Page>
    </ServicesProvider>
  );
  const view = render(around(shown));
  return { show: (next: ReactNode) => view.rerender(around(next)) };
}

describe('a part whose file does not load', () => {
  test('keeps the content around it and the input there, and loads on retry', async () => {
    expectConsoleError(/Loading chunk 7 failed/);
    const Lamp = lazyComponent(arriving(1, () => <p>shining</p>));
    await show(<Lamp />);
    await userEvent.type(screen.getByRole('textbox', { name: 'draft' }), 'kept');
    await userEvent.click(await screen.findByRole('button', { name: '重试' }));
    expect(await screen.findByText('shining')).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'draft' }).value).toBe('kept');
  });

  test('can be closed where it opens over the page, and is loaded again when opened', async () => {
    expectConsoleError(/Loading chunk 7 failed/);
    const Lamp = lazyComponent(arriving(1, (_: { readonly onClose: () => void }) => <p>shining</p>));
    const closed: number[] = [];
    const lamp = <Lamp onClose={() => closed.push(1)} />;
    const screenOf = await show(lamp);
    expect((await screen.findByRole('alert')).textContent).toContain('可能是网络中断');
    await userEvent.click(screen.getByRole('button', { name: '取消' }));
    expect(closed).toEqual([1]);
    screenOf.show(null);
    screenOf.show(lamp);
    expect(await screen.findByText('shining')).toBeTruthy();
  });

  test('rethrows other failures', async () => {
    expectConsoleError(/Error: fuse/);
    const Lamp = lazyComponent(
      arriving(
        1,
        () => <p>shining</p>,
        () => new Error('fuse'),
      ),
    );
    await show(<Lamp />);
    expect(await screen.findByText('the page fell: fuse')).toBeTruthy();
  });
});
