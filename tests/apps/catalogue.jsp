<%-- catalogue.jsp - package descriptions as lists and pages; links carry the session where there is no cookie, as servlets have it.
     SPDX-License-Identifier: Apache-2.0 --%>
<%@ page contentType="text/html; charset=utf-8" import="java.nio.file.*,java.util.*,java.util.stream.*" %>
<%!
    static final int SHOWN = 15;
    List<String[]> rows;
    String text(String s) { return s.replace("&", "&amp;").replace("<", "&lt;"); }
    String or(String value, String otherwise) { return value == null || value.isEmpty() ? otherwise : value; }
%>
<%
    synchronized (this) {
        if (rows == null)
            rows = Files.readAllLines(Paths.get(application.getRealPath("/WEB-INF/packages.tsv"))).stream()
                .map(l -> l.split("\t")).collect(Collectors.toList());
    }
    Integer visits = (Integer)session.getAttribute("visits");
    visits = visits == null ? 1 : visits + 1;
    session.setAttribute("visits", visits);
    String name = request.getParameter("package"), section = or(request.getParameter("section"), "");
    int by = or(request.getParameter("sort"), "name").equals("size") ? 3 : 0;
    int first = Math.max(0, Integer.parseInt(or(request.getParameter("page"), "1").replaceAll("\\D", "0")) - 1) * SHOWN;
    List<String[]> found = rows.stream().filter(r -> section.isEmpty() || r[1].equals(section))
        .sorted(Comparator.comparing(r -> by == 3 ? String.format("%09d", Integer.parseInt(r[3])) : r[0])).collect(Collectors.toList());
    String here = "list.jsp?section=" + section + "&sort=" + (by == 3 ? "size" : "name");
%>
<html><head><title>Packages</title></head><body>
<p><a href="<%= response.encodeURL("list.jsp") %>">All packages</a>
<% for (String s : new TreeSet<>(rows.stream().map(r -> r[1]).collect(Collectors.toList()))) { %>
<a href="<%= response.encodeURL("list.jsp?section=" + s) %>"><%= s %></a><% } %></p>
<% for (String[] r : rows) if (r[0].equals(name)) { %>
<h1><%= text(r[0]) %></h1><p><%= text(r[4]) %></p><p><%= text(r[5]) %></p><p>Version <%= text(r[2]) %>, <%= r[3] %> kB</p>
<a href="<%= response.encodeURL("item.jsp?package=" + r[0] + "&view=print") %>">For printing</a>
<a href="<%= response.encodeURL("list.jsp?section=" + r[1]) %>">More like this</a>
<% } %>
<% if (name == null) { %>
<h1>Packages <%= text(section) %></h1>
<a href="<%= response.encodeURL("list.jsp?section=" + section + "&sort=name") %>">by name</a>
<a href="<%= response.encodeURL("list.jsp?section=" + section + "&sort=size") %>">by size</a><ul>
<% for (int i = first; i < Math.min(first + SHOWN, found.size()); i++) { %>
<li><a href="<%= response.encodeURL("item.jsp?package=" + found.get(i)[0]) %>"><%= text(found.get(i)[4]) %></a></li><% } %></ul>
<% for (int p = 1; p <= (found.size() + SHOWN - 1) / SHOWN; p++) { %>
<a href="<%= response.encodeURL(here + "&page=" + p) %>"><%= p %></a><% } %><% } %>
<hr>Your visit number <%= visits %>, at <%= new java.util.Date() %>
</body></html>
