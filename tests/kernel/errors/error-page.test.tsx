import { afterEach, expect, test } from '@rstest/core';
import { cleanup, render, screen } from '@testing-library/react';
import { ErrorPage } from '../../../src/kernel/errors/ErrorPage.tsx';
import { ServicesProvider } from '../../../src/kernel/services.tsx';
import { testLight } from '../../support/test-kernel.ts';

afterEach(cleanup);

test('an error page stands before anybody has signed in', async () => {
  const { light } = await testLight({ signedIn: null });
  render(
    <ServicesProvider services={light}>
      <ErrorPage status={404} onLeave={() => undefined} />
    </ServicesProvider>,
  );
  expect(screen.getByRole('button', { name: '返回首页' })).toBeTruthy();
});
