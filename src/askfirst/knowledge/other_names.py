"""What one action is called: the names that a program has for one sub-command, and the programs that start another.

Only blocks are held against these (policy/spellings.py): an allowing rule means the words that stand in it. A line is
one action with all its names; `…` stands for any words between a sub-command and an option.
"""

from __future__ import annotations

__all__ = ["ONE_ACTION", "ONE_WORD", "RUNNERS", "SUBCOMMANDS"]

_OF_CONTAINERS = "attach commit cp create diff exec export kill logs pause port rename restart run start stats stop top"
_OF_IMAGES = "history import load pull push save tag"
_LISTED = "checkpoint config context network node plugin secret service stack volume container image pod machine"

# Held against Docker 28.2.2 (`Aliases:` of every help), npm 11 (cmd-list.js), cargo 1.x (`--list`), and the manuals.
_DOCKER = "\n".join(
    (
        *(f"{verb}, container {verb}" for verb in f"{_OF_CONTAINERS} unpause update wait".split()),
        *(f"{verb}, image {verb}" for verb in _OF_IMAGES.split()),
        *(f"{group} ls, {group} list" for group in _LISTED.split()),
        *(f"{group} rm, {group} remove" for group in _LISTED.split()),
        "ps, container ls, container list, container ps",
        "rm, container rm, container remove",
        "images, image ls, image list",
        "rmi, image rm, image remove",
        "build, image build, builder build, buildx build, buildx b",
        "builder prune, buildx prune",
        "events, system events",
        "info, system info",
        "stack deploy, stack up",
        "stack rm, stack remove, stack down",
        "compose config, compose convert",
    )
)
SUBCOMMANDS: dict[str, str] = {
    "docker podman nerdctl": _DOCKER,
    "npm": """
        install, i, in, ins, inst, insta, instal, isnt, isnta, isntal, isntall, add
        uninstall, un, remove, rm, r, unlink
        update, u, up, upgrade, udpate
        ci, clean-install, ic, install-clean, isntall-clean
        install-test, it
        install-ci-test, cit, clean-install-test, sit
        run, run-script, rum, urn
        test, t, tst
        exec, x
        init, create, innit
        link, ln
        ls, list
        ll, la
        view, v, info, show
        search, s, se, find
        config, c
        config set, set, c set
        config get, get, c get
        dist-tag, dist-tags
        owner, author
        org, ogr
        adduser, add-user
        rebuild, rb
        dedupe, ddp
        explain, why
        docs, home
        bugs, issues
        version, verison
    """,
    "pnpm": """
        install, i
        remove, rm, uninstall, un
        update, up, upgrade
        list, ls
        run, run-script
        test, t, tst
        link, ln
        rebuild, rb
        config, c
    """,
    "yarn yarnpkg": """
        npm publish, publish
        npm login, login
        npm logout, logout
        npm tag, tag
    """,
    "bun": """
        install, i
        add, a
        remove, rm, r
        create, c
    """,
    "git": """
        add, stage
        blame, annotate, pickaxe
        init, init-db
        fsck, fsck-objects
        stash, stash push, stash save
        push -d, push --delete, push … -d, push … --delete
        push -f, push --force, push … -f, push … --force
        push --mirror, push … --mirror
        push --tags, push … --tags
        branch -d, branch --delete, branch … -d, branch … --delete
        branch -D, branch … -D
        reset --hard, reset … --hard
        commit -n, commit --no-verify, commit … -n, commit … --no-verify
        commit --amend, commit … --amend
    """,
    "hg": """
        commit, ci
        update, up, checkout, co
        remove, rm
        rename, move, mv
        status, st
        log, history
        annotate, blame
    """,
    "svn": """
        commit, ci
        checkout, co
        delete, del, remove, rm
        copy, cp
        move, mv, rename, ren
        update, up
        switch, sw
        propset, pset, ps
    """,
    "cargo": """
        build, b
        check, c
        doc, d
        run, r
        test, t
        remove, rm
    """,
    "rustup": """
        toolchain install, toolchain add, install
        toolchain uninstall, toolchain remove, uninstall
        target add, target install
        target remove, target uninstall
        component remove, component uninstall
    """,
    "apt apt-get": """
        purge, remove --purge, remove … --purge
        autopurge, autoremove --purge, autoremove … --purge
        dist-upgrade, full-upgrade
    """,
    "dnf yum": """
        remove, erase, rm
        install, in
        upgrade, update, up
    """,
    "zypper": """
        install, in
        remove, rm
        update, up
        dist-upgrade, dup
        addrepo, ar
        removerepo, rr
    """,
    "brew": """
        uninstall, remove, rm
        list, ls
        info, abv
        link, ln
        update, up
    """,
    "composer": """
        install, i
        update, u, upgrade
        require, r
        remove, rm, uninstall
        run-script, run
    """,
    "conda mamba micromamba": """
        remove, uninstall
        update, upgrade
    """,
    "helm": """
        uninstall, del, delete, un
        list, ls
        history, hist
        pull, fetch
        show, inspect
        dependency, dep, dependencies
        dependency update, dependency up, dep update, dep up, dependencies update, dependencies up
        repo remove, repo rm
        repo update, repo up
        plugin uninstall, plugin rm, plugin remove
        plugin install, plugin add
    """,
    "terraform tofu": """
        destroy, apply -destroy, apply --destroy, apply … -destroy, apply … --destroy
        workspace, env
    """,
    "pulumi": """
        up, update
        destroy, down, dn
        preview, pre
    """,
    "gh": """
        codespace, cs
        extension, extensions, ext
        ruleset, rs
        attestation, at
        pr create, pr new
        pr checkout, pr co, co
        issue create, issue new
        repo create, repo new
        release create, release new
        gist create, gist new
        secret delete, secret remove
        variable delete, variable remove
    """,
    "glab": """
        mr, merge-request
        ci, pipe, pipeline
        repo, project
        mr merge, mr accept, merge-request merge, merge-request accept
        mr create, mr new, merge-request create, merge-request new
        issue create, issue new
    """,
    "fly flyctl": """
        apps, app
        machine, machines, m
        volumes, volume, vol
        secrets, secret
        apps destroy, app destroy, destroy
        postgres, pg
    """,
    "vercel vc": """
        remove, rm
        list, ls
        alias, aliases, ln
        env rm, env remove
    """,
    "wrangler": """
        deploy, publish
        pages deploy, pages publish
    """,
    "heroku": """
        apps:destroy, destroy, apps:delete
        config:set, config:add
        config:unset, config:remove
        addons:destroy, addons:remove
    """,
}
# Words that mean one thing wherever they stand behind the verb: the kinds of a cluster (`kubectl api-resources`).
ONE_WORD: dict[str, str] = {
    "kubectl oc": """
        pods, pod, po
        services, service, svc
        deployments, deployment, deploy
        replicasets, replicaset, rs
        statefulsets, statefulset, sts
        daemonsets, daemonset, ds
        replicationcontrollers, replicationcontroller, rc
        jobs, job
        cronjobs, cronjob, cj
        namespaces, namespace, ns
        nodes, node, no
        configmaps, configmap, cm
        secrets, secret
        serviceaccounts, serviceaccount, sa
        persistentvolumes, persistentvolume, pv
        persistentvolumeclaims, persistentvolumeclaim, pvc
        storageclasses, storageclass, sc
        ingresses, ingress, ing
        networkpolicies, networkpolicy, netpol
        horizontalpodautoscalers, horizontalpodautoscaler, hpa
        poddisruptionbudgets, poddisruptionbudget, pdb
        priorityclasses, priorityclass, pc
        endpoints, endpoint, ep
        events, event, ev
        limitranges, limitrange, limits
        resourcequotas, resourcequota, quota
        customresourcedefinitions, customresourcedefinition, crd, crds
        certificatesigningrequests, certificatesigningrequest, csr
        roles, role
        rolebindings, rolebinding
        clusterroles, clusterrole
        clusterrolebindings, clusterrolebinding
    """,
}
# Beginnings of commands that are one action. Only for blocks with `args`: who blocks `docker-compose` as a whole may
# want people to take `docker compose`.
ONE_ACTION = """
    docker compose, docker-compose
    podman compose, podman-compose
    npm exec, npx
    pnpm dlx, pnpx
    bun x, bunx
    uv tool run, uvx
    pip, pip3
    apt, apt-get
    fly, flyctl
    vercel, vc
    netlify, ntl
    serverless, sls
    yarn, yarnpkg
    npm publish, yarn npm publish
    kubectl, k3s kubectl, microk8s kubectl, microk8s.kubectl, minikube kubectl --
    gradle, gradlew
    mvn, mvnw
"""
# Programs that start the program that the words behind them name, and the sub-commands that do so ("" for none; `_` is
# a word of their own before it).
RUNNERS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys("npx pnpx bunx uvx corepack cross-env cross-env-shell dotenv dotenvx env-cmd".split(), ("",)),
    "npm": ("exec", "x"),
    "pnpm": ("dlx", "exec", "x"),
    "yarn": ("dlx", "exec", "run"),
    "yarnpkg": ("dlx", "exec", "run"),
    "bun": ("x", "run"),
    "uv": ("run", "tool run"),
    "bundle": ("exec",),
    "mise": ("exec", "exec _", "x", "x _"),
    "rustup": ("run _",),
    "direnv": ("exec _",),
    "aws-vault": ("exec _",),
    "dotenv-cli": ("",),
    **dict.fromkeys(
        "pipx poetry pipenv pdm rye hatch pixi conda mamba micromamba volta doppler op infisical".split(), ("run",)
    ),
    **dict.fromkeys("asdf rbenv pyenv nodenv jenv goenv fnm chamber".split(), ("exec", "exec _")),
}
