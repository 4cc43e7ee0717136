import type { Texts } from '../shape.ts';

/** Texts of the second factor, of the tenant, and of the end of a session. */
export const signInMethods: Texts['signInMethods'] = {
  tenant: 'Tenant code',
  enterTenant: 'Enter the tenant code',
  secondFactorTitle: 'Two-step verification',
  secondFactorHint: 'Enter the 6-digit code your authenticator app shows.',
  recoveryHint: 'Enter an unused recovery code. Each code works once.',
  secondFactorCode: 'Authenticator code',
  recoveryCode: 'Recovery code',
  enterSecondFactor: 'Enter the authenticator code',
  enterRecoveryCode: 'Enter a recovery code',
  useRecoveryCode: 'Can’t use your authenticator? Use a recovery code',
  useApp: 'Use the authenticator app',
  verify: 'Verify',
  verifying: 'Verifying…',
  endedElsewhere: 'You ended this session from another device.',
  kicked: 'An administrator ended this session.',
  passwordChanged: 'Your password has been changed. Sign in with the new one.',
  reused: 'A sign-in credential was reused. This session was ended to protect your account.',
  accessWithdrawn: 'Your account was disabled or your access was revoked. Contact an administrator.',
  tenantSuspended: 'Your tenant is suspended. Contact the platform administrator.',
  switchedTitle: 'Account switched',
  switched: '“{to}” signed in on another tab, so this tab switched from “{from}”. Unsaved changes of “{from}” were not submitted.',
  switchedContinue: 'Continue as “{to}”',
  switchedLeave: 'Sign out',
};
