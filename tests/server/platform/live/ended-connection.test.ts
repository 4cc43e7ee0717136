import { expect, test } from '@rstest/core';
import { anonymous } from '../../../../src/server/platform/http/authorize-call.ts';
import { LiveConnection } from '../../../../src/server/platform/live/live-hub.ts';

test('a connection that ends while it is being opened sends nothing more, and ends once', async () => {
  const connection = new LiveConnection(anonymous, async () => anonymous);
  connection.end();
  connection.end();
  connection.begin('opening', []);
  connection.send('more');
  const sent: string[] = [];
  for await (const chunk of connection.stream) sent.push(String(chunk));
  expect(sent).toEqual([]);
});
