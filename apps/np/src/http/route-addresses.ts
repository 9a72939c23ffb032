/**
 * Method and path of each operation below `/api/np`. Separate from the routes, because `np --server` needs only these:
 * it must not load a server.
 */
export const routeAddresses = {
  'session.list': { method: 'GET', path: '/sessions' },
  'session.start': { method: 'POST', path: '/sessions' },
  'plan.show': { method: 'GET', path: '/sessions/{sid}' },
  'session.archive': { method: 'POST', path: '/sessions/{sid}/archive' },
  'session.export': { method: 'GET', path: '/sessions/{sid}/export' },
  'goal.show': { method: 'GET', path: '/sessions/{sid}/goal' },
  'goal.set': { method: 'PUT', path: '/sessions/{sid}/goal' },
  'goal.update': { method: 'PATCH', path: '/sessions/{sid}/goal' },
  'task.list': { method: 'GET', path: '/sessions/{sid}/tasks' },
  'task.find': { method: 'GET', path: '/tasks' },
  'task.add': { method: 'POST', path: '/sessions/{sid}/tasks' },
  'task.update': { method: 'PATCH', path: '/sessions/{sid}/tasks' },
  'task.move': { method: 'POST', path: '/sessions/{sid}/tasks/{id}/move' },
  'task.delete': { method: 'DELETE', path: '/sessions/{sid}/tasks/{id}' },
  'task.claim': { method: 'POST', path: '/sessions/{sid}/tasks/{id}/claim' },
  'task.release': { method: 'POST', path: '/sessions/{sid}/tasks/{id}/release' },
  'plan.undo': { method: 'POST', path: '/sessions/{sid}/undo' },
  'log.read': { method: 'GET', path: '/sessions/{sid}/events' },
  'log.all': { method: 'GET', path: '/log' },
} as const;
