import { get } from 'node:http';
import type { networkInterfaces } from 'node:os';
import { expect, test } from '@rstest/core';
import { Egress, EgressError } from '../../../src/server/base/egress.ts';

const specialAddresses = [
  ...[
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '192.0.0.1',
  ],
  ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1', '224.0.0.1', '255.255.255.255'],
  ...['[::1]', '[::]', '[::7f00:1]', '[::ffff:7f00:1]', '[::ffff:127.0.0.1]', '[::ffff:a00:1]', '[0:0:0:0:0:ffff:a9fe:a9fe]', '[::ffff:0:7f00:1]'],
  ...[
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::1]',
    '[100::1]',
    '[100:0:0:1::1]',
    '[2001::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
  ],
  ...['[3fff::1]', '[2620:4f:8000::1]', '[5f00::1]', '[fc00::1]', '[fe80::1]', '[fec0::1]', '[ff02::1]'],
];
const publicHosts = ['8.8.8.8', '[2606:4700:4700::1111]', '[::ffff:808:808]', '203.0.112.255', '[2001:200::1]', 'example.com'];

const outcome = (egress: Egress, host: string) => {
  try {
    egress.check(new URL(`http://${host}/`));
    return 'accepted';
  } catch (error) {
    return error instanceof EgressError ? 'refused' : error;
  }
};

/** Returns the error of a request through the HTTP agent, without a preceding `check()`. */
const failureOf = (egress: Egress, host: string) =>
  new Promise<unknown>((resolve) => {
    get(`http://${host}:9/`, { agent: egress.agents.httpAgent }, () => resolve('answered')).on('error', resolve);
  });

test('special-purpose addresses are refused in every notation, and other hosts are accepted', () => {
  const egress = new Egress();
  expect(specialAddresses.filter((host) => outcome(egress, host) !== 'refused')).toEqual([]);
  expect(publicHosts.filter((host) => outcome(egress, host) !== 'accepted')).toEqual([]);
});

test('addresses that the deployment allows are accepted, in IPv6 notation too', () => {
  const egress = new Egress('10.0.0.0/8, 2001:db8::/32');
  expect(['10.1.2.3', '[::ffff:a01:203]', '[2001:db8::5]', '192.168.0.1'].map((host) => outcome(egress, host))).toEqual([
    'accepted',
    'accepted',
    'accepted',
    'refused',
  ]);
});

test('the addresses of this machine are refused, even public ones', () => {
  const own = [
    { address: '9.9.9.9', family: 'IPv4' },
    { address: '2606:4700::9', family: 'IPv6' },
    { address: 'fe80::1%eth0', family: 'IPv6' },
  ];
  const egress = new Egress('', () => ({ eth0: own }) as unknown as ReturnType<typeof networkInterfaces>);
  const outcomes = ['9.9.9.9', '[2606:4700::9]', '[::ffff:909:909]', '9.9.9.10'].map((host) => outcome(egress, host));
  expect(outcomes).toEqual(['refused', 'refused', 'refused', 'accepted']);
});

test('the agents refuse names that resolve to internal addresses, without a preceding `check()`', async () => {
  const egress = new Egress();
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '[::ffff:7f00:1]'])
    expect({ host, failure: await failureOf(egress, host) }).toMatchObject({ host, failure: { name: 'EgressError' } });
  for (const host of ['0x7f.1', '2130706433', '::ffff:127.0.0.1', 'fe80::1%lo']) {
    const failure = await new Promise((resolve) => egress.socket().on('error', resolve).connect(9, host));
    expect({ host, failure }).toMatchObject({ host, failure: { name: 'EgressError' } });
  }
  // Resolvers treat a trailing dot differently: they find no address, or one that is refused.
  for (const host of ['localhost.', '127.0.0.1.'])
    expect({ host, failure: await failureOf(egress, host) }).toMatchObject({
      host,
      failure: { message: expect.stringMatching(/ENOTFOUND|EAI_AGAIN|internal address/) },
    });
});
