import { hasPasskeys, lazyComponent, type SignInMethod } from '#kernel';

const passkey: SignInMethod = {
  id: 'passkey',
  title: ['通行密钥', 'Passkey'],
  icon: 'key',
  Step: lazyComponent(() => import('./PasskeyStep.tsx')),
};

const setup: SignInMethod = { id: 'second-factor', SetupStep: lazyComponent(() => import('./SecondFactorSetup.tsx')) };

/** Passkeys are offered by browsers that have them. */
const methods: readonly SignInMethod[] = hasPasskeys() ? [passkey, setup] : [setup];
export default methods;
