'use strict';
// The workbench: four views, told apart by the part of the address behind '#'.
//   #                      the projects of the folder
//   #FILE                  a project
//   #FILE/PERSON/TEST      a test, for a person to answer
//   #?LANGUAGE             what the book says about a language

const api = async (path, body) => {
  const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  let response;
  try {
    response = await fetch('api/' + path, options);
  } catch {
    throw { gone: true, error: 'The program does not answer. Everything up to here is saved; start it again and reload the page.' };
  }
  let json;
  try {
    json = await response.json();
  } catch {
    throw { gone: true, error: 'Another program answers at this address. Open the address that the workbench printed when it was started; everything up to here is saved.' };
  }
  if (!response.ok) throw json;
  return json;
};

// Goals that are neither covered nor proved impossible.
const openCount = (counts) => counts.infeasible_up_to + (counts.only_undefined || 0) + counts.unknown;

// An element: tag with .classes, attributes (functions become listeners), children.
const make = (tag, attributes = {}, ...children) => {
  const [name, ...classes] = tag.split('.');
  const element = document.createElement(name);
  element.className = classes.join(' ');
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return element;
};

const main = document.getElementById('main');
const show = (where, ...content) => {
  document.getElementById('where').textContent = where;
  document.title = (where ? where + ' · ' : '') + 'Specimen workbench';
  main.replaceChildren(...content.flat().filter(one => one !== null && one !== undefined));
};

const complain = problem => {
  const words = problem && problem.error ? problem.error : String(problem);
  const alert = make('div.alert', { role: 'alert' }, make('span', {}, words));
  alert.append(make('button', { type: 'button', 'aria-label': 'Dismiss', click: () => alert.remove() }, '×'));
  document.getElementById('alerts').replaceChildren(alert);
};
const calm = () => document.getElementById('alerts').replaceChildren();
const attempt = async work => {
  try {
    calm();
    return await work();
  } catch (problem) {
    complain(problem);
    return undefined;
  }
};

const percent = (shown, all) => (all === 0 ? 0 : Math.round((100 * shown) / all));
const bar = (shown, all, conflict) =>
  make('div.bar' + (conflict ? '.no' : ''), { role: 'img', 'aria-label': percent(shown, all) + ' % of the mistakes ruled out' },
    make('span', { style: `width:${percent(shown, all)}%` }));
const person = (state, name) =>
  state.people.find(one => one.name === name) || { name, answers: {}, shown: 0, all: openGoals(state), conflicts: [], suggestions: [] };
const openGoals = state => (state.goals || []).filter(goal => goal.status !== 'infeasible').length;

// ------------------------------------------------------------------------------------------------ the folder

// What is typed and not yet saved is not left without a question.
let isUnsaved = () => false;
const mayLeave = () => !isUnsaved() || confirm('The specification was changed and not saved. Leave it all the same?');

const remove = project => attempt(async () => {
  if (!confirm(`Remove ${project.title || project.file} from the list?`)) return;
  const { kept } = await api('remove', { file: project.file });
  await route();
  complain({ error: `The project was taken out of the list. Its file is kept as ${kept}.` });
});

const folderView = async () => {
  const { projects, languages } = await api('projects');
  const row = project => {
    if (project.problem) {
      return make('li', {}, make('span', {}, project.file), make('span.pill.no', { title: project.problem }, 'cannot be read'), make('span.soft', {}, project.problem));
    }
    const state = project.conflict ? ['no', 'conflict'] : project.all === 0 ? ['open', 'not judged yet'] : ['yes', percent(project.shown, project.all) + ' % ruled out'];
    return make('li', {}, make('a', { href: '#' + encodeURIComponent(project.file) }, project.title || project.file), make('span.pill.' + state[0], {}, state[1]),
      make('button.quiet', { type: 'button', 'aria-label': 'Remove ' + (project.title || project.file), click: () => remove(project) }, 'Remove'));
  };
  const title = make('input', { id: 'new-title', placeholder: 'Title', 'aria-label': 'Title of the new project' });
  const language = make('select', { 'aria-label': 'Language' }, languages.map(name => make('option', { value: name, selected: name === 'stl' }, name)));
  const create = event => {
    event.preventDefault();
    attempt(async () => {
      const state = await api('create', { title: title.value, language: language.value });
      location.hash = '#' + encodeURIComponent(state.file);
    });
  };
  show('', make('h1', {}, 'Projects'),
    make('section.panel', {}, projects.length ? make('ul.projects', {}, projects.map(row)) : make('p.soft', {}, 'There is no project in this folder yet.')),
    make('form.panel', { submit: create }, make('h2', {}, 'A new project'), make('div.row', {}, title, language, make('button.primary', { type: 'submit' }, 'Create'))));
};

// ------------------------------------------------------------------------------------------------ a project

let shownResults = false;
let typing;
// Shows what a project is now, without touching what is being typed.
let refresh = async () => {};

const NAMES = { title: 'The title', requirement: 'The requirement', notes: 'The notes', specification: 'The specification' };
// What somebody else saved in the same place meanwhile; null if the problem is another one.
const meanwhile = problem => {
  try { return JSON.parse(problem.error).meanwhile || null; } catch { return null; }
};

const projectView = async file => {
  const state = await api('project?file=' + encodeURIComponent(file));
  const fields = {};
  // Sends changes of fields along with what this page took the fields to be.
  const change = async changes => {
    const was = Object.fromEntries(Object.keys(changes).map(name => [name, state[name]]));
    try {
      patch(await api('change', { file, ...changes, was }));
      return true;
    } catch (problem) {
      const theirs = meanwhile(problem);
      if (!theirs) throw problem;
      const [name, value] = Object.entries(theirs)[0];
      state[name] = value;
      complain({ error: `${NAMES[name]} was changed elsewhere meanwhile, to: “${value}”. What you typed is still here; save it again to replace that.` });
      if (name === 'specification') keep.disabled = false;
      return false;
    }
  };
  const save = changes => attempt(() => change(changes));
  const diagnostics = make('ul.diagnostics', { id: 'diagnostics', 'aria-live': 'polite' });
  const say = said => diagnostics.replaceChildren(...said.map(one =>
    make('li.' + (one.severity || 'error'), {}, (one.line ? `Line ${one.line}, position ${one.column}: ` : '') + one.message + (one.help && one.help.length ? ` (${[].concat(one.help).join('; ')})` : ''))));
  const specification = make('textarea.code', { id: 'specification', spellcheck: 'false', 'aria-describedby': 'diagnostics' });
  specification.value = state.specification;
  fields.specification = specification;
  const keep = make('button.primary', { type: 'button', id: 'save', disabled: true, click: () => saveSpecification() }, 'Save');
  const check = async () => {
    const text = specification.value;
    try {
      const said = (await api('check', { language: state.language, specification: text })).diagnostics;
      if (specification.value !== text) return;
      say(text.trim() === '' ? [] : said);
      keep.disabled = text === state.specification || said.some(one => one.severity === 'error');
    } catch (problem) {
      complain(problem);
    }
  };
  const saveSpecification = async () => {
    try {
      calm();
      if (await change({ specification: specification.value })) keep.disabled = specification.value === state.specification;
    } catch (problem) {
      let said = null;
      try { said = JSON.parse(problem.error).diagnostics; } catch { /* not diagnostics */ }
      if (said) say(said); else complain(problem);
    }
  };
  isUnsaved = () => specification.isConnected && specification.value !== state.specification;
  specification.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(check, 150); });
  const field = (name, words, rows) => {
    const area = make('textarea', { id: name, rows });
    area.value = state[name];
    area.addEventListener('change', () => save({ [name]: area.value }));
    fields[name] = area;
    return [make('label', { for: name }, words), area];
  };
  const title = make('input', { id: 'title', 'aria-label': 'Title', size: 40 });
  title.value = state.title;
  title.addEventListener('change', () => save({ title: title.value }));
  fields.title = title;
  const heading = make('h1', {}, state.title);
  const panels = make('div', { id: 'panels' });
  const entitle = () => {
    heading.textContent = state.title;
    document.getElementById('where').textContent = state.title;
    document.title = state.title + ' · Specimen workbench';
  };
  // The page after a change: fields that nobody is typing in follow, the others stay.
  const patch = next => {
    for (const [name, element] of Object.entries(fields)) {
      if (element.value === state[name] && element.value !== next[name]) element.value = next[name];
    }
    Object.assign(state, next);
    entitle();
    panels.replaceChildren(...[drawPanel(state), inspectPanel(state), resultsPanel(state)].filter(panel => panel !== null));
    keep.disabled = keep.disabled || specification.value === state.specification;
  };
  refresh = async next => { if (panels.isConnected) patch(next || await api('project?file=' + encodeURIComponent(file))); };
  show(state.title, heading,
    make('section.panel', {}, make('div.row', {}, make('label', { for: 'title' }, 'Title'), title),
      field('requirement', 'The requirement, in words', 3)),
    make('section.panel', {}, make('h2', {}, `The specification (${state.language})`),
      make('p.soft', {}, make('a', { href: '#?' + encodeURIComponent(state.language), id: 'manual', target: '_blank' }, 'How it is written')), specification, diagnostics,
      make('div.row', { style: 'margin-top:.6rem' }, keep, make('span.soft', {}, 'Old tests are judged again by the changed specification.'))),
    panels,
    make('section.panel', {}, field('notes', 'Notes', 3)));
  patch(state);
  if (state.problem) complain({ error: state.problem });
  if (state.drawing) setTimeout(() => watch(file), 700);
};

// Waits for the end of a search, and shows what it found.
const watch = async file => {
  const here = () => decodeURIComponent(location.hash.slice(1)) === file;
  if (!here()) return;
  try {
    const state = await api('project?file=' + encodeURIComponent(file));
    if (!here()) return;
    await refresh(state);
    if (state.drawing) setTimeout(() => watch(file), 700);
    else if (state.problem) complain({ error: state.problem });
  } catch (problem) {
    complain(problem);
  }
};

const drawPanel = state => {
  const counts = state.summary;
  const draw = () => attempt(async () => {
    await refresh(await api('draw', { file: state.file }));
    setTimeout(() => watch(state.file), 700);
  });
  const stop = () => attempt(async () => { await api('stop', { file: state.file }); });
  return make('section.panel', {}, make('h2', {}, 'Tests'),
    counts
      ? make('p', {}, (state.mistakes ? `${counts.tests} tests tell the specification from ${counts.covered} of ${counts.goals} possible mistakes` : `${counts.tests} tests cover ${counts.covered} of ${counts.goals} goals`)
          + (counts.infeasible ? (state.mistakes ? `; ${counts.infeasible} change nothing (proved)` : `; ${counts.infeasible} are infeasible (proved)`) : '')
          + (openCount(counts) ? `; ${openCount(counts)} are open` : '') + '.')
      : make('p.soft', {}, state.specification.trim() === '' ? 'Write and save a specification first; tests are drawn from it.' : 'No test has been drawn yet.'),
    make('div.row', {},
      make('button.primary', { type: 'button', id: 'draw', disabled: state.drawing || state.specification.trim() === '', click: draw },
        state.drawing ? 'Drawing tests …' : counts ? 'Draw what is missing' : 'Draw tests'),
      state.drawing ? make('button', { type: 'button', click: stop }, 'Stop') : null));
};

const inspectPanel = state => {
  if (!state.tests.length) return null;
  const name = make('input', { id: 'person', placeholder: 'Your name', 'aria-label': 'Your name', list: 'people' });
  name.value = sessionStorage.getItem('person') || '';
  name.addEventListener('input', () => sessionStorage.setItem('person', name.value));
  const begin = event => {
    event.preventDefault();
    const who = name.value.trim();
    if (!who) { complain({ error: 'Say your name first: answers are kept by person.' }); return; }
    sessionStorage.setItem('person', who);
    const answers = person(state, who).answers;
    const next = state.tests.find(test => !(test.id in answers)) || state.tests[0];
    visit(state, who, next.id);
  };
  return make('form.panel', { submit: begin }, make('h2', {}, 'Judge the tests'),
    make('p.soft', {}, 'You see one test after the other and say whether the requirement allows it.'),
    make('datalist', { id: 'people' }, state.people.map(one => make('option', { value: one.name }))),
    make('div.row', {}, name, make('button.primary', { type: 'submit', id: 'begin' }, 'Begin')));
};

const resultsPanel = state => {
  if (!state.people.length || !state.tests.length) return null;
  const toggle = make('button', { type: 'button', id: 'toggle', click: () => { shownResults = !shownResults; attempt(refresh); } }, shownResults ? 'Hide results' : 'Show results');
  const panel = make('section.panel', {}, make('h2', {}, 'Results'), make('div.row', {}, toggle, shownResults ? null : make('span.soft', {}, 'Hidden, so that nobody is biased by the answers of others.')));
  if (!shownResults) return panel;
  const mark = value => (value === true ? '✓' : value === false ? '✗' : '');
  const head = make('tr', {}, make('th', {}, 'Test'), state.tests.map(test => make('th', {}, make('a', { href: address(state, '', test.id) }, test.id))), make('th', {}, state.mistakes ? 'ruled out' : ''));
  const own = make('tr', {}, make('th', {}, 'the specification'), state.tests.map(test => make('td', {}, mark(test.verdict))), make('td', {}));
  const rows = state.people.map(one => make('tr', {},
    make('th', {}, one.name),
    state.tests.map(test => make('td' + (one.conflicts.includes(test.id) ? '.no' : ''), {}, mark(one.answers[test.id]))),
    make('td', {}, one.conflicts.length ? make('span.pill.no', {}, 'conflict') : state.mistakes ? `${percent(one.shown, one.all)} %` : '')));
  panel.append(make('div.scroll', { tabindex: 0, style: 'margin-top:.8rem' }, make('table', { id: 'results' }, make('thead', {}, head), make('tbody', {}, own, rows))));
  state.people.filter(one => one.conflicts.length).forEach(one => panel.append(conflictPanel(state, one)));
  return panel;
};

// Text in which `code` is set as code.
const prose = words => words.split('`').map((part, place) => (place % 2 ? make('code', {}, part) : part));

// The mistakes that judge a test as the person does.
const culprits = (state, id) => {
  const test = state.tests.find(test => test.id === id);
  const found = (state.goals || []).filter(goal => test && test.covers.includes(goal.id));
  if (!state.mistakes || !found.length) return null;
  return make('details.culprits', {}, make('summary', {}, `${found.length} possible ${found.length === 1 ? 'mistake' : 'mistakes'} would explain the answer to ${id}`),
    make('ul', {}, found.map(goal => make('li', {}, make('span.soft', {}, goal.id + ' '), prose(goal.label.replace(/^[a-z,]+: /, ''))))));
};

// What a test is good for: the mistakes it tells from the specification, and those that no test answered so far does.
const killsPanel = (state, one, test) => {
  if (!state.mistakes) return null;
  const before = new Set(state.tests.filter(other => other.id !== test.id && other.id in one.answers).flatMap(other => other.covers));
  const found = (state.goals || []).filter(goal => test.covers.includes(goal.id));
  const fresh = found.filter(goal => !before.has(goal.id)).length;
  return make('details.kills', { id: 'kills' },
    make('summary', {}, `This test tells the specification from ${found.length} possible ${found.length === 1 ? 'mistake' : 'mistakes'}, ${fresh} of them told by no test answered before.`),
    make('ul', {}, found.map(goal => make('li', {}, make('span.soft', {}, goal.id + (before.has(goal.id) ? ' ' : ' (new) ')), prose(goal.label.replace(/^[a-z, ]+: /, ''))))));
};

const conflictPanel = (state, one) => make('div.panel.conflict', { id: 'conflict', role: 'alert' },
  make('h2', {}, 'Conflict: the answers of ' + one.name + ' contradict the specification'),
  make('p', {}, one.conflicts.length === 1 ? 'Test ' : 'Tests ', one.conflicts.flatMap((id, place) => [place ? ', ' : '', make('a', { href: address(state, one.name, id) }, id)]), '.'),
  one.suggestions.length
    ? make('div', {}, make('ul.hints', { id: 'hints' }, one.suggestions.map(found => make('li', {}, prose(found.hint), ' ',
        make('span.soft', {}, found.mismatches === 0 ? 'It agrees with every answer so far.' : `It differs on ${found.mismatches}, the specification on ${found.ours}.`)))))
    : make('p', {}, (state.mistakes ? 'No single small change explains the answers. ' : '') + 'Look at the requirement and the specification again.'),
  one.conflicts.map(id => culprits(state, id)));

// ------------------------------------------------------------------------------------------------ a test

const address = (state, who, test) => '#' + [state.file, who, test].map(encodeURIComponent).join('/');
const visit = (state, who, test) => { location.hash = address(state, who, test); };
let keys = null;

// Inputs without a picture: a table where they are names with values, otherwise the text.
const plainly = text => {
  let inputs = null;
  try { inputs = JSON.parse(text); } catch { /* no JSON */ }
  const flat = inputs && !Array.isArray(inputs) && typeof inputs === 'object' && Object.values(inputs).every(value => value === null || typeof value !== 'object');
  if (!flat) return make('pre', {}, text);
  return make('table.inputs', {}, make('tbody', {}, Object.entries(inputs).map(([name, value]) => make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, String(value))))));
};

const testView = async (file, who, id) => {
  const state = await api('project?file=' + encodeURIComponent(file));
  const place = state.tests.findIndex(test => test.id === id);
  const test = state.tests[place];
  if (!test) { location.hash = '#' + encodeURIComponent(file); return; }
  const one = person(state, who);
  const answered = Object.keys(one.answers).filter(known => state.tests.some(test => test.id === known)).length;
  const back = make('a', { href: '#' + encodeURIComponent(file) }, 'Back to the project');
  const step = by => { const other = state.tests[place + by]; if (other) visit(state, who, other.id); };
  const answer = allowed => attempt(async () => {
    const next = await api('answer', { file, person: who, test: id, allowed });
    const answers = person(next, who).answers;
    const rest = next.tests.find(test => !(test.id in answers));
    const conflict = person(next, who).conflicts.includes(id);
    if (rest && !conflict) visit(next, who, rest.id); else await route();
  });
  const picture = make('div.picture', {});
  if (test.picture) picture.innerHTML = test.picture; else picture.append(plainly(test.text));
  const given = one.answers[id];
  const kills = killsPanel(state, one, test);
  const content = [
    make('h1', {}, `Test ${place + 1} of ${state.tests.length}`),
    make('section.panel', {}, make('h2', {}, 'The requirement'), make('p.requirement', {}, state.requirement || 'No requirement has been written down.')),
    make('section.panel', {}, picture, kills),
  ];
  if (who) {
    content.push(make('section.panel', {}, make('h2', {}, 'Does the requirement allow this?'),
      make('div.row', {},
        make('button.yes', { type: 'button', id: 'allowed', 'aria-pressed': String(given === true), click: () => answer(true) }, 'Allowed', make('kbd', {}, 'y')),
        make('button.no', { type: 'button', id: 'not-allowed', 'aria-pressed': String(given === false), click: () => answer(false) }, 'Not allowed', make('kbd', {}, 'n')),
        given === undefined ? null : make('span.soft', {}, 'You said: ' + (given ? 'allowed' : 'not allowed') + '.')),
      state.mistakes ? bar(one.shown, one.all, one.conflicts.length) : bar(answered, state.tests.length, one.conflicts.length),
      make('p.soft', { id: 'progress' }, `${answered} of ${state.tests.length} tests answered` + (state.mistakes ? `; ${percent(one.shown, one.all)} % of the possible mistakes ruled out` : ''))));
    if (one.conflicts.includes(id)) {
      content.push(conflictPanel(state, { ...one, conflicts: [id] }));
      const rest = state.tests.find(test => !(test.id in one.answers));
      content.push(make('div.row.onward', {}, rest
        ? make('button.primary', { type: 'button', id: 'onward', click: () => visit(state, who, rest.id) }, 'Go on with the next test')
        : make('span.soft', { id: 'finished' }, 'All tests are answered.')));
    }
    else if (answered === state.tests.length) {
      content.push(make('section.panel', { id: 'finished' }, make('h2', {}, 'All tests answered'),
        make('p', {}, one.conflicts.length ? 'Some answers contradict the specification.' : 'Every answer agrees with the specification.')));
      if (one.conflicts.length) content.push(conflictPanel(state, one));
    }
  }
  content.push(make('div.row', {}, back,
    make('button', { type: 'button', disabled: place === 0, click: () => step(-1) }, 'Previous'),
    make('button', { type: 'button', disabled: place + 1 === state.tests.length, click: () => step(1) }, 'Next')));
  show(state.title + (who ? ' · ' + who : ''), ...content);
  keys = event => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const action = { y: () => who && answer(true), n: () => who && answer(false), ArrowLeft: () => step(-1), ArrowRight: () => step(1) }[event.key];
    if (action) { event.preventDefault(); action(); }
  };
};

// ------------------------------------------------------------------------------------------------ the book

// Words with `code`, **strong**, *stressed* and links, of which the text alone is shown.
const inline = text => text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*|\[[^\]]+\]\([^)]+\))/).filter(part => part !== '').map(part => {
  if (part[0] === '`' && part.length > 2) return make('code', {}, part.slice(1, -1));
  if (part.startsWith('**') && part.length > 4) return make('strong', {}, part.slice(2, -2));
  if (part[0] === '*' && part.length > 2 && part.endsWith('*')) return make('em', {}, part.slice(1, -1));
  if (part[0] === '[' && part.endsWith(')')) return make('span', {}, ...inline(part.slice(1, part.indexOf(']('))));
  return part;
});

// The parts of Markdown that the book uses: headings, code, tables, lists, paragraphs.
const page = text => {
  const lines = text.split('\n');
  const parts = [];
  const cells = line => line.replace(/^\||\|\s*$/g, '').split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'));
  for (let at = 0; at < lines.length;) {
    const take = wanted => { const from = at; while (at < lines.length && wanted(lines[at])) at += 1; return lines.slice(from, at); };
    const heading = /^(#+) (.*)/.exec(lines[at]);
    if (lines[at].startsWith('```')) {
      at += 1;
      const code = take(line => !line.startsWith('```'));
      at += 1;
      parts.push(make('pre', { tabindex: 0 }, code.join('\n')));
    } else if (heading) {
      parts.push(make('h' + Math.min(heading[1].length, 4), {}, inline(heading[2])));
      at += 1;
    } else if (lines[at].startsWith('|')) {
      const [head, , ...rows] = take(line => line.startsWith('|'));
      parts.push(make('div.scroll', { tabindex: 0 }, make('table', {}, make('thead', {}, make('tr', {}, cells(head).map(cell => make('th', {}, inline(cell))))),
        make('tbody', {}, rows.map(row => make('tr', {}, cells(row).map(cell => make('td', {}, inline(cell)))))))));
    } else if (/^[-*] /.test(lines[at])) {
      const items = take(line => /^([-*] | {2})/.test(line)).join('\n').split(/^[-*] /m).filter(item => item.trim() !== '');
      parts.push(make('ul', {}, items.map(item => make('li', {}, inline(item.replace(/\s+/g, ' '))))));
    } else if (lines[at].trim() === '') {
      at += 1;
    } else {
      parts.push(make('p', {}, inline(take(line => line.trim() !== '' && !/^(#+ |```|\||[-*] )/.test(line)).join(' '))));
    }
  }
  return parts;
};

const manualView = async language => {
  const { page: text } = await api('manual?language=' + encodeURIComponent(language));
  show('How ' + language + ' is written', make('section.panel.manual', {}, page(text)));
};

document.addEventListener('keydown', event => { if (keys) keys(event); });

const route = async () => {
  const parts = location.hash.slice(1).split('/').map(decodeURIComponent);
  keys = null;
  if (parts[0] === '') await folderView();
  else if (parts[0].startsWith('?')) await manualView(parts[0].slice(1));
  else if (parts.length === 3) await testView(...parts);
  else await projectView(parts[0]);
};

// Goes where the address says; what cannot be shown has a page that says why.
const go = async () => {
  try {
    calm();
    await route();
  } catch (problem) {
    if (problem.gone || main.children.length === 0 && !problem.error) { complain(problem); return; }
    show('', make('h1', {}, 'This cannot be shown'),
      make('section.panel.conflict', { id: 'broken', role: 'alert' }, make('p', {}, problem.error || String(problem)),
        make('p.soft', {}, 'The file was left as it is. Repair or remove it, then reload this page.')),
      make('p', {}, make('a', { href: '#' }, 'Back to the projects')));
  }
};

let lastAddress = location.hash;
window.addEventListener('hashchange', () => {
  if (location.hash === lastAddress) return;
  if (!mayLeave()) { history.replaceState(null, '', lastAddress || '#'); return; }
  lastAddress = location.hash;
  go();
  main.focus();
});
window.addEventListener('beforeunload', event => { if (isUnsaved()) event.preventDefault(); });
go();
