import * as Type from 'typebox';
import { webhookEvent } from '#shared/contract';
import { Id } from '#shared/fields';

const user = Type.Object({ id: Id() });

/** A user was added by an administrator, by an import, or by the first sign-in at an identity provider. */
export const userCreated = webhookEvent({ name: 'user.created', title: ['用户已创建', 'User created'], data: user });
export const userEnabled = webhookEvent({ name: 'user.enabled', title: ['用户已启用', 'User enabled'], data: user });
export const userDisabled = webhookEvent({ name: 'user.disabled', title: ['用户已停用', 'User disabled'], data: user });
