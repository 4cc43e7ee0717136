import { lazyComponent, type SignInMethod } from '#kernel';

const methods: readonly SignInMethod[] = [
  { id: 'sso', order: 2, title: ['单点登录', 'SSO'], icon: 'key' },
  { id: 'social', order: 3, title: ['第三方登录', 'Sign-in providers'], Buttons: lazyComponent(() => import('./SocialButtons.tsx')) },
  { id: 'provider-return', title: ['第三方登录', 'Sign-in providers'], handles: 'return', Step: lazyComponent(() => import('./OAuthCallbackStep.tsx')) },
];
export default methods;
