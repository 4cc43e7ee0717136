import { lazyComponent, type SignInMethod } from '#kernel';

const methods: readonly SignInMethod[] = [
  {
    id: 'register',
    title: ['没有账号？申请注册', 'No account? Request one'],
    isRegistration: true,
    Step: lazyComponent(() => import('./RegisterStep.tsx')),
  },
  { id: 'guests', title: ['注册', 'Register'], handles: 'guest', Step: lazyComponent(() => import('./GuestDialog.tsx')) },
];
export default methods;
