import type { TestServer } from './server.ts';

/** Creates a plan as a person and an agent would, with HTML that must not run. */
export function seed(server: TestServer): void {
  server.run('np', 'start');
  server.run('np', 'goal', 'set', '-t', 'Ship the dashboard', '-d', 'So that people can watch what agents do');
  for (const title of ['Draw the shell', 'Follow the stream', '<img src=x onerror="document.title=1">']) {
    server.run('np', 'task', 'add', '-t', title, '-d', 'Navigation, light and dark');
  }
}

/** Creates tasks like those of real users, with HTML that must not run and with text in other scripts. */
export function seedTasks(server: TestServer): void {
  server.run('ut', 'add', 'Buy milk and bread', '-t', 'errand', '-t', 'home');
  server.run('ut', 'add', 'Ship the dashboard', '-t', 'work', '-t', 'urgent');
  server.run('ut', 'add', 'Pager duty', '-t', 'ops', '-t', 'urgent');
  const long = 'a'.repeat(300);
  server.run('ut', 'add', `<img src=x onerror="document.title=1">${long}`, '-t', '日本語', '-t', 'two words');
}
