// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import './styles.css';

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { queryClient, signedOut } from './api/query-client.ts';
import { router } from './router.tsx';
import { Toaster } from './ui/toaster.tsx';

// The session has ended: sign in, then return to this page.
signedOut.subscribe(() => {
  const { pathname, href } = router.state.location;
  if (pathname === '/sign-in' || pathname === '/setup') return;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { next: href } });
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root element');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
);
