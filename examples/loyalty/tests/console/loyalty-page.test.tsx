import { expect, test } from '@rstest/core';
import { screen } from '@testing-library/react';
import { answer, createPluginHarness, pageOf, pluginContract, rowOf } from '#kit/console';
import plugin from '../../console/plugin.ts';
import { Award, loyalty } from '../../contract.ts';
import { loyaltyMenu } from '../../menus.ts';

pluginContract(plugin);

test('points are listed with the member who earned them', async () => {
  const harness = await createPluginHarness(plugin, { answers: [answer(loyalty.list, pageOf(rowOf(Award, { memberName: '小明', points: 50 })))] });
  await harness.open(loyaltyMenu);
  expect(await screen.findByText('小明')).toBeTruthy();
});
