import { afterEach, expect, test } from '@rstest/core';
import { invitationLink, takeInvitation } from '../../../../src/kernel/platform/session/invitation.ts';

const invitation = { tenantId: '000000', account: '张 三&co', password: 'made+up#once' };

afterEach(() => history.replaceState(null, '', '/'));

test('an invitation is read from its link once, and leaves neither address nor history', () => {
  const { pathname, search, hash } = new URL(invitationLink(invitation));
  history.replaceState(null, '', pathname + search + hash);
  expect(takeInvitation()).toEqual(invitation);
  expect(location.href).toBe(`${location.origin}/login`);
  expect(takeInvitation()).toBeUndefined();
});

test('an incomplete invitation is ignored, and another fragment stays', () => {
  history.replaceState(null, '', '/login#invitation=abc&tenant=000000');
  expect(takeInvitation()).toBeUndefined();
  history.replaceState(null, '', '/page#part');
  expect(takeInvitation()).toBeUndefined();
  expect(location.hash).toBe('#part');
});
