import { afterEach, expect, test } from '@rstest/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MenuButton } from '../../../../src/kernel/ui/menus/MenuButton.tsx';

afterEach(() => cleanup());

function show() {
  const chosen: string[] = [];
  const choice = (key: string) => ({ key, label: key, onSelect: () => void chosen.push(key) });
  render(
    <>
      <MenuButton label="menu" choices={[choice('first'), { ...choice('second'), isDisabled: true }, { ...choice('third'), isSelected: true }]}>
        open
      </MenuButton>
      <button type="button">elsewhere</button>
    </>,
  );
  return { chosen, user: userEvent.setup(), button: screen.getByRole('button', { name: 'menu' }) };
}

test('arrows move between items, Enter selects and restores the focus', async () => {
  const { user, button, chosen } = show();
  button.focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('third');
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('first');
  await user.keyboard('{Enter}');
  expect(chosen).toEqual(['first']);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button);
});

test('Escape and a click outside close without selecting', async () => {
  const { user, button, chosen } = show();
  await user.click(button);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  await user.click(button);
  await user.click(screen.getByRole('button', { name: 'elsewhere' }));
  expect(screen.queryByRole('menu')).toBeNull();
  expect(chosen).toEqual([]);
});

test('an item that can be on or off shows its state', async () => {
  const { user, button } = show();
  await user.click(button);
  expect(screen.getByRole('menuitemcheckbox', { name: 'third' }).getAttribute('aria-checked')).toBe('true');
  expect(screen.getByRole('menuitem', { name: 'second' })).toHaveProperty('disabled', true);
});
