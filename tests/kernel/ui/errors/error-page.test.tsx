import { afterEach, expect, test } from '@rstest/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ServicesProvider } from '../../../../src/kernel/base/react/services.tsx';
import { ErrorPage } from '../../../../src/kernel/ui/errors/ErrorPage.tsx';
import { ProblemView } from '../../../../src/kernel/ui/errors/ProblemView.tsx';
import { testCoreServices } from '../../../support/test-kernel.ts';

// Set up once, because it listens on the document permanently.
const user = userEvent.setup();

afterEach(cleanup);

test('an error page is available without a session', async () => {
  const { core } = await testCoreServices({ signedIn: null });
  render(
    <ServicesProvider services={core}>
      <ErrorPage status={404} onLeave={() => undefined} />
    </ServicesProvider>,
  );
  expect(screen.getByRole('button', { name: '返回首页' })).toBeTruthy();
});

test('the error details are copied unchanged', async () => {
  const { core } = await testCoreServices({ signedIn: null });
  render(
    <ServicesProvider services={core}>
      <ProblemView title="页面出错" explanation="请重试" details={'TypeError: no rows\n  at lamp.js:1'} actions={[]} />
    </ServicesProvider>,
  );
  await user.click(screen.getByRole('button', { name: '复制错误详情' }));
  expect(await screen.findByRole('button', { name: '已复制' })).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe('TypeError: no rows\n  at lamp.js:1');
});
