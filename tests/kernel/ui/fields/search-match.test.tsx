import { expect, test } from '@rstest/core';
import { render, screen } from '@testing-library/react';
import { matchesSearch, usePinyin } from '../../../../src/kernel/ui/fields/search-match.ts';

function Found({ typed }: { readonly typed: string }) {
  usePinyin(typed !== '');
  return <output>{['财务部', 'Sales'].filter((title) => matchesSearch(title, typed)).join()}</output>;
}

test('a list takes pinyin and initials as soon as the pinyin is loaded, without another key', async () => {
  const { rerender } = render(<Found typed="" />);
  expect(screen.getByRole('status').textContent).toBe('财务部,Sales');
  rerender(<Found typed="cwb" />);
  await expect.poll(() => screen.getByRole('status').textContent).toBe('财务部');
  for (const [typed, found] of [
    [' caiwu ', '财务部'],
    ['务', '财务部'],
    ['SALE', 'Sales'],
    ['xyz', ''],
  ] as const) {
    rerender(<Found typed={typed} />);
    expect([typed, screen.getByRole('status').textContent]).toEqual([typed, found]);
  }
});
