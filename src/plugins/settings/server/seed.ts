import { repositoryOf, type ServerContext } from '#server';
import { Param } from '../contract.ts';

/** The parameters a new deployment begins with: those the server reads, with the values it would use without them. */
export async function seedParams({ db }: ServerContext): Promise<void> {
  const params = repositoryOf(db, Param);
  await params.save({ paramName: '登录失败锁定次数', paramKey: 'account.failCount', paramValue: '5', remark: '连续登录失败达到此次数后，账号锁定30分钟' });
}
