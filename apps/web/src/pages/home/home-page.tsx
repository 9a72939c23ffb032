import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';

import {
  backupsQuery,
  changesQuery,
  commandsFolderQuery,
  commitsQuery,
  databasesQuery,
  inboxQuery,
  tokensQuery,
} from '../../api/queries.ts';
import type { Commit, DatabaseState } from '../../api/types.ts';
import { useNow } from '../../lib/clock.ts';
import { foldActivity } from '../../lib/fold-activity.ts';
import { count } from '../../lib/format.ts';
import { useMay, useMe } from '../../lib/permissions.ts';
import { Badge, Time } from '../../ui/badge.tsx';
import { buttonClass, Command } from '../../ui/button.tsx';
import { Card, Loaded, Page } from '../../ui/page.tsx';
import { ActivityRow } from '../activity/activity-row.tsx';
import { useInboxActions } from '../inbox/inbox-actions.ts';
import { InboxRow } from '../inbox/inbox-row.tsx';
import { FirstSteps } from './first-steps.tsx';
import { type App, apps, cardOf, OpenButton, RingmasterCard, Tile } from './app-tiles.tsx';

export function Component(): ReactNode {
  const me = useMe();
  const maySee = useMay('system:read');
  return (
    <Page title="Home" description={`Welcome back, ${me?.user.username ?? ''}.`}>
      <FirstSteps />
      <NeedsYou />
      {maySee ? <Overview /> : <Welcome />}
      <Happening />
    </Page>
  );
}

const WAITING_SHOWN = 5;
const HAPPENED_SHOWN = 6;

/** Shows what people changed last. */
function Happening(): ReactNode {
  const { data: changes } = useQuery(changesQuery);
  const byPeople = foldActivity(changes?.data.filter((item) => !item.is_automatic) ?? []);
  if (byPeople.length === 0) return null;
  return (
    <Card
      title="What is happening"
      actions={
        <Link to="/activity" className={buttonClass('plain', 'small')}>
          All activity
        </Link>
      }
      isFlush
    >
      <ul className="divide-y divide-line border-t border-line">
        {byPeople.slice(0, HAPPENED_SHOWN).map((fold) => (
          <li key={`${fold.first.app} ${fold.first.at} ${fold.first.title} ${fold.first.text}`}>
            <ActivityRow fold={fold} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Lists items from all applications that wait for the user. */
function NeedsYou(): ReactNode {
  const { data: inbox } = useQuery(inboxQuery());
  const actions = useInboxActions();
  const items = inbox?.data ?? [];
  if (inbox === undefined || items.length === 0) return null;
  return (
    <Card
      title="Needs you"
      description={count(items.length, 'item waits', 'items wait')}
      actions={
        <Link to="/inbox" className={buttonClass('plain', 'small')}>
          Open inbox
        </Link>
      }
      isFlush
    >
      <ul className="divide-y divide-line border-t border-line">
        {items.slice(0, WAITING_SHOWN).map((item) => (
          <li key={item.key}>
            <InboxRow item={item} actions={actions} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Shown to users without access to databases. */
function Welcome(): ReactNode {
  const visible = useVisibleApps();
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-6">
      {visible.map((app) => (
        <AppCard key={app.title} app={app} />
      ))}
      <RingmasterCard />
      <Tile
        title="Account"
        what="Your password, sessions and tokens."
        links={<OpenButton path="/account" title="Account" />}
      />
    </div>
  );
}

function useVisibleApps(): readonly App[] {
  const permissions = useMe()?.permissions ?? [];
  return apps.filter(({ page }) => page !== undefined && permissions.includes(page.permission));
}

function Overview(): ReactNode {
  const databases = useQuery(databasesQuery);
  const visible = useVisibleApps();
  return (
    <Loaded query={databases}>
      {(all) => (
        <>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-6">
            {cards(all.filter(({ name }) => name !== 'accounts'))}
            {/* Applications without a database here, such as tasks on NATS. */}
            {visible
              .filter(({ database }) => !all.some(({ name }) => name === database))
              .map((app) => (
                <AppCard key={app.title} app={app} />
              ))}
            <RingmasterCard />
            {cards(all.filter(({ name }) => name === 'accounts'))}
          </div>
          <NextSteps databases={all} />
        </>
      )}
    </Loaded>
  );
}

function cards(databases: readonly DatabaseState[]): ReactNode {
  return databases.map((database) => <DatabaseCard key={database.name} database={database} />);
}

function AppCard({ app: { title, what, page, Glance } }: { readonly app: App }): ReactNode {
  return (
    <Tile title={title} what={what} links={<OpenButton path={page?.path ?? '/'} title={title} />}>
      {Glance !== undefined && <Glance />}
    </Tile>
  );
}

function DatabaseCard({ database }: { readonly database: DatabaseState }): ReactNode {
  const { name, last_commit_at: last, problem } = database;
  const { title, what, page, Glance } = cardOf(name);
  const mayOpen = useMay(page?.permission ?? '');
  const commits = useQuery({ ...commitsQuery(name), enabled: problem === null });
  return (
    <Tile
      title={title}
      what={what}
      badge={problem === null ? <Badge tone="good">Working</Badge> : <Badge tone="bad">Unavailable</Badge>}
      below={
        problem === null ? (
          <Pulse commits={commits.data ?? []} />
        ) : (
          <p className="rounded-lg bg-bad-soft p-3 text-bad">
            {problem.message} <span className="font-mono text-xs">{problem.code}</span>
          </p>
        )
      }
      facts={[['Last change', last === null ? 'none yet' : <Time at={last} />]]}
      links={
        <>
          {page !== undefined && mayOpen && <OpenButton path={page.path} title={title} />}
          <DatabaseLinks database={database} title={title} />
        </>
      }
    >
      {Glance !== undefined && mayOpen && problem === null && <Glance />}
    </Tile>
  );
}

interface DatabaseLinksProps {
  readonly database: DatabaseState;
  readonly title: string;
}

function DatabaseLinks({ database: { name, kind }, title }: DatabaseLinksProps): ReactNode {
  return (
    <>
      <Link to="/activity" search={{ database: name }} className={buttonClass('plain', 'small')}>
        Activity<span className="sr-only"> of {title}</span>
      </Link>
      {kind === 'keyspace' && (
        <Link to="/keys/$name" params={{ name }} className={buttonClass('plain', 'small')}>
          Keys<span className="sr-only"> of {title}</span>
        </Link>
      )}
    </>
  );
}

const BARS = 30;
const HOUR = 3_600_000;
const WIDTH = 6;
const GAP = 2;
const HEIGHT = 32;

/** Charts the changes in the last hour; each bar covers two minutes. */
function Pulse({ commits }: { readonly commits: readonly Commit[] }): ReactNode {
  const now = useNow();
  const bars = Array.from({ length: BARS }, () => 0);
  for (const { at } of commits) {
    const age = Math.max(0, now - Date.parse(at));
    const bar = BARS - 1 - Math.floor((age / HOUR) * BARS);
    if (bar >= 0) bars[bar] = (bars[bar] ?? 0) + 1;
  }
  const total = bars.reduce((sum, value) => sum + value, 0);
  const most = Math.max(1, ...bars);
  const isCut = total === commits.length && commits.length >= 100;
  const text = `${count(total)}${isCut ? '+' : ''} ${total === 1 ? 'change' : 'changes'} in the last hour`;
  return (
    <div>
      <svg
        role="img"
        aria-label={text}
        viewBox={`0 0 ${BARS * (WIDTH + GAP)} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-8 w-full"
      >
        {bars.map((value, at) => {
          const height = value === 0 ? 2 : 4 + (value / most) * (HEIGHT - 4);
          return (
            <rect
              key={at}
              x={at * (WIDTH + GAP)}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
              rx={1}
              className={value === 0 ? 'fill-line' : 'fill-accent'}
            />
          );
        })}
      </svg>
      <p className="mt-1.5 text-[13px] text-muted">{text}</p>
    </div>
  );
}

interface Step {
  readonly title: string;
  readonly text: string;
  readonly command: string;
  readonly isDone: boolean;
}

/** Suggests first steps to new users and ticks off completed ones. The card disappears when all are completed. */
function NextSteps({ databases }: { readonly databases: readonly DatabaseState[] }): ReactNode {
  const { data: folder } = useQuery(commandsFolderQuery);
  const { data: tokens } = useQuery(tokensQuery);
  const { data: backups } = useQuery(backupsQuery('accounts'));
  // Revision 1 is the commit that creates the database.
  const hasPlan = (databases.find(({ name }) => name === 'np')?.revision ?? 0) > 1;
  const steps: readonly Step[] = [
    ...(folder === null || folder === undefined
      ? []
      : [
          {
            title: 'Add the commands to your PATH',
            text: 'Applies to this terminal only. To make it permanent, add the command to your shell’s startup file.',
            command: `export PATH="${folder}:$PATH"`,
            isDone: hasPlan,
          },
        ]),
    {
      title: 'Connect your agent',
      text: 'Run this in a project directory. The agent then keeps a plan that you can watch here. Also works with codex (OpenAI Codex), copilot, cursor and gemini.',
      command: 'np setup claude',
      isDone: hasPlan,
    },
    {
      title: 'Create a token',
      text: 'Scripts and agents use a token to access this server. Manage tokens on the Account page.',
      command: 'holdfast token create --name my-agent',
      isDone: (tokens ?? []).length > 0,
    },
    {
      title: 'Create a backup',
      text: 'Run this command, or use the System page.',
      command: 'holdfast backup accounts',
      isDone: (backups ?? []).length > 0,
    },
  ];
  // Waits for all data, so that the card does not appear and then disappear again.
  if (folder === undefined || tokens === undefined || backups === undefined) return null;
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Card title="Next steps" description="Each step takes one terminal command.">
      <ol className={`grid gap-5 ${steps.length === 3 ? 'lg:grid-cols-3' : 'md:grid-cols-2'}`}>
        {steps.map((step) => (
          <Item key={step.title} step={step} />
        ))}
      </ol>
    </Card>
  );
}

function Item({ step: { title, text, command, isDone } }: { readonly step: Step }): ReactNode {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="flex min-w-0 gap-3">
      <Icon className={`mt-0.5 size-4 shrink-0 ${isDone ? 'text-good' : 'text-muted'}`} aria-hidden />
      <div className="grid min-w-0 flex-1 content-start gap-2">
        <div>
          <h3 className="font-medium">
            {title}
            {isDone && <span className="text-[13px] font-normal text-good"> · done</span>}
          </h3>
          <p className="text-[13px] text-muted">{text}</p>
        </div>
        <Command text={command} />
      </div>
    </li>
  );
}
