import * as Type from 'typebox';
import { webhookEvent } from '#shared/contract';
import { Id } from '#shared/fields';

export const registrationApproved = webhookEvent({
  name: 'registration.approved',
  title: ['注册已通过', 'Registration approved'],
  data: Type.Object({ id: Id(), userId: Id() }),
});
